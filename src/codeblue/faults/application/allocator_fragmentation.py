"""
## What it means
PyTorch's allocator holds more unused memory than was asked for, but not in one piece: it is cut into
blocks whose neighbours are still in use, so they can be neither joined nor given back.

## Why it happens
Sizes that change from step to step: variable sequence lengths, image sizes or numbers of tokens; a
long run that alternates training with validation or generation; small long-lived tensors that were
allocated in the middle of large segments. CUDA graphs keep memory in pools of their own, which looks
the same in the message.

## When it is not a fault
A few hundred MiB of reserved but unallocated memory are normal. codeblue reports this only if the
unused memory would have been enough for the refused request.

## What to do
Set `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True` before Python starts: segments can then grow
and shrink in pages. If that is not possible (some peer-to-peer and IPC uses), pad or bucket the
shapes so that sizes repeat, or limit splitting with `max_split_size_mb`. Calling `empty_cache()` does
not help against split blocks.

## How safe the fix is
It changes only how memory is reserved, not results. If other options are set in the variable, add to
them. A job that is close to the limit for real will still run out of memory a little later.
"""

from collections.abc import Iterator

from codeblue.faults.application.out_of_memory import Shortage, shortages, shown
from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

LET_SEGMENTS_GROW = Remedy(
    message("let the allocator's segments grow", "让分配器的段可以伸缩"),
    (
        Step(
            Verb.ENV_SET,
            message("unused pages can then be joined", "这样未用的页可以合并"),
            {"name": "PYTORCH_CUDA_ALLOC_CONF", "value": "expandable_segments:True"},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


@fault(
    "allocator-fragmentation",
    title=Text("PyTorch's free GPU memory is in pieces", "PyTorch 的空闲显存是碎片"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-memory-exhausted",),
    references=(
        Reference(
            "PyTorch: CUDA semantics, optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html"
            "#optimizing-memory-usage-with-pytorch-cuda-alloc-conf",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"out of memory|OutOfMemory|OUT_OF_MEMORY|\bOOM\b|RESOURCE_EXHAUSTED|显存不足|爆显存|"
                r"显存不够|显存溢出",
                r"^\s*(?:#|//|>).*(?:fragment|reserved (?:is|but|memory|grows|much)|(?:small|"
                r"live) (?:blocks|tensors)|variable (?:length|size|shape)|varying (?:length|size|"
                r"shape)|expandable_segments|max_split_size|empty_cache.{0,30}(?:not|no )|碎片)|"
                r"显存碎片|memory is fragmented|due to fragmentation",
            ),
            none=(r"\bhost memory|RAM\b",),
        ),
        Clue(
            all=(
                r"memory_reserved|reserved|cached (?:segment|memory)|nvidia-smi (?:shows|reports)|缓存",
                r"memory_allocated|\ballocated|live|占用",
                r"^\s*(?:#|//|>).*(?:fragment|segment|empty_cache|never (?:returned|released|freed)|"
                r"not (?:returned|released|freed)|split)|碎片|释放不",
            ),
            none=(r"zombie|other process",),
        ),
    ),
    remedy=LET_SEGMENTS_GROW,
)
def allocator_fragmentation(sightings: Sightings) -> Iterator[Hit]:
    for shortage in shortages(sightings, enough_but_in_pieces):
        yield Hit(
            subject=f"gpu:{shortage.gpu}",
            summary=message(
                "{tried} were refused on GPU {gpu} although PyTorch holds {idle} that it does not use",
                "GPU {gpu} 上申请 {tried} 被拒绝，而 PyTorch 占着 {idle} 没有使用",
                tried=shown(shortage.tried),
                gpu=shortage.gpu,
                idle=shown(shortage.idle or 0),
            ),
            certainty=Certainty.LIKELY,
            because=cite(f"sightings.seen[{shortage.seen_at}].text"),
        )


def enough_but_in_pieces(shortage: Shortage) -> bool:
    """True if the allocator's unused memory would have been enough."""
    return shortage.idle is not None and shortage.idle >= shortage.tried
