"""
## What it means
The allocation failed because other processes hold most of that GPU's memory. Without them the
request would have fitted. The job itself is not too big.

## Why it happens
A colleague's job or notebook runs on the same card; an earlier run of one's own did not end (a
killed launcher leaves its workers behind, and they keep their memory); two ranks or two jobs were
given the same GPU; a serving engine or JAX took a fixed share of the card at start.

## When it is not a fault
Sharing a card is fine as long as the shares fit. In a container PyTorch does not know its own
process number: a single "Process N" in the message is then the failing process itself, and codeblue
does not report it here.

## What to do
Look at who holds the memory with `nvidia-smi`, and at the process with `ps -o user,lstart,cmd -p PID`
on the host. End it if it is a leftover of your own; otherwise ask its owner, or choose another GPU
with `CUDA_VISIBLE_DEVICES`. If nothing is listed although memory is in use, look for processes that
have the nodes open: `sudo fuser -v /dev/nvidia*`.

## How safe the fix is
Ending a process loses its unsaved work. Never end one that you cannot name. The process number comes
from the message: check that it still belongs to the same program.
"""

from collections.abc import Iterator

from codeblue.faults.application.out_of_memory import Shortage, shortages, shown
from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, Text, message

FREE_THE_GPU = Remedy(
    message("end the leftover process or use another GPU", "结束遗留进程，或改用另一块 GPU"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "check owner and start time of the process on the host first",
                "先在宿主机上确认该进程的属主和启动时间",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-memory-held-by-other-process",
    title=Text("Another process holds the GPU's memory", "显存被其他进程占用"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpu-memory-exhausted",),
    references=(
        Reference(
            "PyTorch: CUDA semantics, memory management",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
            "2026-11-30",
        ),
    ),
    remedy=FREE_THE_GPU,
    next_command="nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv",
)
def gpu_memory_held_by_other_process(sightings: Sightings) -> Iterator[Hit]:
    for shortage in shortages(sightings, held_by_others):
        yield Hit(
            subject=f"gpu:{shortage.gpu}",
            summary=who(shortage),
            certainty=Certainty.LIKELY if shortage.own is None else Certainty.CERTAIN,
            because=cite(f"sightings.seen[{shortage.seen_at}].text"),
        )


def held_by_others(shortage: Shortage) -> bool:
    """True if others hold most of the memory in use and the request would fit without them.

    Where the line lists no processes, they must hold at least half of the card.
    """
    held = sum(shortage.others.values()) or shortage.unnamed
    fits_without = shortage.free < shortage.tried <= shortage.free + held
    most = held >= (shortage.own or 0) if shortage.others else held * 2 >= shortage.total
    return fits_without and most


def who(shortage: Shortage) -> Message:
    """Say who holds how much, and what was asked for."""
    sizes = {"gpu": shortage.gpu, "tried": shown(shortage.tried), "free": shown(shortage.free)}
    if not shortage.others:
        return message(
            "{held} of GPU {gpu} are in use outside PyTorch; {tried} were asked for, {free} were free",
            "GPU {gpu} 有 {held} 显存在 PyTorch 之外被占用；申请 {tried}，仅剩 {free}",
            held=shown(shortage.unnamed),
            **sizes,
        )
    pid, largest = max(shortage.others.items(), key=lambda item: item[1])
    return message(
        "process {pid} holds {held} of GPU {gpu}; {tried} were asked for, {free} were free",
        "进程 {pid} 占用了 GPU {gpu} 的 {held} 显存；申请 {tried}，仅剩 {free}",
        pid=pid,
        held=shown(largest),
        **sizes,
    )
