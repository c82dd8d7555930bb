"""
## What it means
The GPU still had room for the request, but this process has limited its own share of the memory and
reached the limit. PyTorch says so with "… allowed" in the out-of-memory message.

## Why it happens
Somewhere the program, a library or a platform hook calls `torch.cuda.set_per_process_memory_fraction`
or sets `per_process_memory_fraction` in `PYTORCH_CUDA_ALLOC_CONF`, often so that several processes can
share one card. The share was right for another model or another card.

## When it is not a fault
On a shared card the limit protects the neighbours. Then the job has to become smaller, not the limit
larger.

## What to do
Search the code and its configuration for `memory_fraction`, and look at `PYTORCH_CUDA_ALLOC_CONF` and
`PYTORCH_ALLOC_CONF`. Raise the share to what the job needs, or make the job fit into it.

## How safe the fix is
It is a setting of the job. Before you raise it on a shared card, make sure that the shares of all
processes together still fit.
"""

from collections.abc import Iterator

from codeblue.faults.application.out_of_memory import Shortage, shortages, shown
from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RAISE_THE_SHARE = Remedy(
    message("raise the share or make the job fit into it", "提高份额，或让任务适应它"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "search code and environment for memory_fraction",
                "在代码和环境变量里查找 memory_fraction",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-memory-fraction-limit",
    title=Text("The process has limited its own GPU memory", "进程给自己设了显存上限"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-memory-exhausted",),
    references=(
        Reference(
            "PyTorch: torch.cuda.memory.set_per_process_memory_fraction",
            "https://docs.pytorch.org/docs/stable/generated/"
            "torch.cuda.memory.set_per_process_memory_fraction.html",
            "2026-11-30",
        ),
    ),
    signatures=(Signature("allowed;", r"free; [\d.]+ \w+ allowed;", Certainty.POSSIBLE),),
    clues=(
        Clue(
            all=(
                r"out of memory|OutOfMemory|OUT_OF_MEMORY|\bOOM\b|RESOURCE_EXHAUSTED|显存不足|爆显存|"
                r"显存不够|显存溢出",
                r"set_per_process_memory_fraction|per_process_gpu_memory_fraction|"
                r"per_process_memory_fraction|XLA_PYTHON_CLIENT_MEM_FRACTION ?= ?\.?0?\.?[0-7]|"
                r"memory_limit ?=|set_logical_device_configuration|memory_fraction|limited (?:its own|"
                r"to \d+%)|限制(?:了)?.{0,8}显存|显存(?:比例|上限)",
            ),
            none=(r"gpu_memory_utilization|gpu-memory-utilization",),
        ),
    ),
    remedy=RAISE_THE_SHARE,
    next_command="env | grep -E 'PYTORCH(_CUDA)?_ALLOC_CONF'",
)
def gpu_memory_fraction_limit(sightings: Sightings) -> Iterator[Hit]:
    for shortage in shortages(sightings, room_but_not_allowed):
        yield Hit(
            subject=f"gpu:{shortage.gpu}",
            summary=message(
                "{tried} were refused although GPU {gpu} had {free} free: the process may use {allowed}",
                "GPU {gpu} 还有 {free} 空闲，申请 {tried} 却被拒绝：该进程只允许使用 {allowed}",
                tried=shown(shortage.tried),
                free=shown(shortage.free),
                gpu=shortage.gpu,
                allowed=shown(shortage.allowed or 0),
            ),
            because=cite(f"sightings.seen[{shortage.seen_at}].text"),
        )


def room_but_not_allowed(shortage: Shortage) -> bool:
    """True if the card had room and the process has a limit."""
    return shortage.allowed is not None and shortage.free >= shortage.tried
