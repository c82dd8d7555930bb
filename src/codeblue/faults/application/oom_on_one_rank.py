"""
## What it means
One rank ran out of GPU memory while the others did not. They wait for it: in NCCL's set-up on a socket
without a time-out, later in a collective until the watchdog ends them. Their messages speak of time-outs
or lost connections and hide the shortage.

## Why it happens
One GPU is fuller than the others: another process on it, every rank's first tensor on `cuda:0`, the rank
that also evaluates, logs or gathers checkpoints, an uneven split of layers or of sequence lengths.

## When it is not a fault
If all ranks run out at the same step, the model or batch is too large for every GPU: then it is plain
exhaustion.

## What to do
Look at that GPU first: `nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv`.
Call `torch.cuda.set_device(local_rank)` before the first CUDA call, load checkpoints with
`map_location="cpu"`, and spread what only rank 0 does. A time-out in `init_process_group` turns the silent
wait of the others into an error.

## How safe the fix is
It changes the program only. Ending the other process on the GPU is its owner's decision.
"""

from collections.abc import Iterator

from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SHORTAGE = "gpu-memory-exhausted"
WAITING = ("rank-hung", "peer-connection-lost")


@fault(
    "oom-on-one-rank",
    title=Text(
        "One rank ran out of GPU memory, the others wait for it", "一个 rank 显存不足，其他 rank 在等它"
    ),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(SHORTAGE, *WAITING),
    references=(
        Reference(
            "PyTorch: understanding CUDA memory usage",
            "https://docs.pytorch.org/docs/stable/torch_cuda_memory.html",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"out of memory|OutOfMemory|\bOOM\b|显存不足|爆显存",
                r"only (?:on )?(?:one|rank|gpu|device)|只有(?:一|rank|\d)|其中一(?:张|个)"
                r"|(?:one|single) (?:of the )?(?:rank|gpu|worker|device|card)",
                r"\bhang|\bhung|stuck|wait(?:s|ing)? for|time(?:d )?-?out|never (?:return|finish)"
                r"|卡住|卡死|超时|一直等",
            ),
        ),
    ),
    remedy=Remedy(
        message("make room on the GPU of that rank", "给该 rank 的 GPU 腾出显存"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "see what else lies on that GPU; set the device before the first CUDA call, and spread "
                    "what only one rank does",
                    "查看该 GPU 上还有什么；在第一次 CUDA 调用之前设置设备，并分摊只由一个 rank 做的工作",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv",
)
def oom_on_one_rank(sightings: Sightings) -> Iterator[Hit]:
    seen = list(enumerate(sightings.seen))
    short = {
        s.rank: n for n, s in reversed(seen) if s.fault == SHORTAGE and s.rank is not None and not s.note
    }
    waiting = {s.rank: n for n, s in reversed(seen) if s.fault in WAITING and s.rank is not None}
    others = sorted(set(waiting) - set(short))
    if len(short) != 1 or not others:
        return
    [(rank, number)] = short.items()
    yield Hit(
        subject="job",
        certainty=Certainty.LIKELY,
        summary=message(
            "rank {rank} alone ran out of GPU memory; {n} others waited for it",
            "只有 rank {rank} 显存不足；另有 {n} 个 rank 在等它",
            rank=rank,
            n=len(others),
        ),
        because=cite(f"sightings.seen[{number}].text", f"sightings.seen[{waiting[others[0]]}].text"),
    )
