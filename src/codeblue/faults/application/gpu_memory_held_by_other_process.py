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
does not report it here. A card that a job fills at this moment (variant `now`) is no trouble as long
as nobody else needs it; codeblue only notes that it could not try it.

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
from typing import NamedTuple

from codeblue.faults.application.out_of_memory import FAULT as OUT_OF_MEMORY
from codeblue.faults.application.out_of_memory import Shortage, shortages, shown
from codeblue.faults.hardware.xids import gpus
from codeblue.model.facts import Gpu, Nvml, Sightings, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import State
from codeblue.model.text import Message, Text, message

ROOM_FOR_A_CONTEXT = 700 << 20
"""Bytes that a small CUDA program takes; the trial leaves a GPU alone that has less."""

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
    clues=(
        Clue(
            all=(
                r"out of memory|OutOfMemory|OUT_OF_MEMORY|\bOOM\b|RESOURCE_EXHAUSTED|显存不足|爆显存|"
                r"显存不够|显存溢出|CUBLAS_STATUS_(?:NOT_INITIALIZED|ALLOC_FAILED)|"
                r"CUDNN_STATUS_(?:NOT_INITIALIZED|INTERNAL_ERROR)|No available memory for the cache|"
                r"less than desired|cublasCreate",
                r"(?:other|another|zombie|previous|earlier|leftover|stale|orphan\w*|old|dead|crashed|"
                r"forgotten|killed|someone else's|hidden|defunct) (?:\w+ )?(?:process|job|run|"
                r"notebook|kernel|program|user|python|instance|session|server|training)|"
                r"still (?:holds?|holding|running|occup|in use|allocated)|already (?:in use|occupied|"
                r"taken)|(?:occupied|held|taken|used) by|nvidia-smi.{0,40}(?:other|no process|another|"
                r"still)|fuser|其他进程|别的进程|另一个进程|僵尸|残留|没释放|未释放|别人|被占",
            ),
            none=(
                r"\bjax\b|tensorflow|\bXLA|preallocat",
                r"set_per_process",
                r"compute mode|exclusive",
                r"cuda:0.{0,20}(?:all|every) rank",
            ),
        ),
    ),
    signatures=(
        Signature(
            "on startup is less than desired",
            r"Free memory on device \S*\s*\([\d.]+/[\d.]+ GiB\) on startup is less than desired",
            Certainty.LIKELY,
        ),
        Signature(
            "on startup is less than desired", r"on startup is less than desired GPU memory", Certainty.LIKELY
        ),
    ),
    remedy=FREE_THE_GPU,
    next_command="nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv",
)
def gpu_memory_held_by_other_process(
    sightings: Sightings | None = None, nvml: Nvml | None = None, torch_trial: TorchTrial | None = None
) -> Iterator[Hit]:
    said = shortages(sightings, lambda _: True) if sightings else []
    if not said:
        yield from held_now(nvml, sign_of_need(sightings, torch_trial))
    for shortage in shortages(sightings, held_by_others) if sightings else []:
        yield Hit(
            subject=f"gpu:{shortage.gpu}",
            summary=who(shortage),
            certainty=Certainty.LIKELY if shortage.own is None else Certainty.CERTAIN,
            because=cite(f"sightings.seen[{shortage.seen_at}].text"),
        )


class Sign(NamedTuple):
    """What shows that somebody wants the memory, without the numbers of PyTorch's own message."""

    kind: Kind
    certainty: Certainty
    path: str | None


def sign_of_need(sightings: Sightings | None, trial: TorchTrial | None) -> Sign | None:
    """Return the best sign: the trial ran out of memory, a text says so, or the trial was not run."""
    if trial and trial.unread.get("devices") is State.BUSY:
        return Sign(Kind.RISK, Certainty.LIKELY, None)
    for index, device in trial.devices.items() if trial and trial.imported else ():
        if not device.ok and "out of memory" in (device.error or ""):
            return Sign(Kind.TROUBLE, Certainty.LIKELY, f"torch_trial[{index}].error")
    for position in sightings.of(OUT_OF_MEMORY) if sightings else ():
        return Sign(Kind.TROUBLE, Certainty.POSSIBLE, f"sightings.seen[{position}].text")
    return None


def held_now(nvml: Nvml | None, sign: Sign | None) -> Iterator[Hit]:
    """Yield the GPUs whose memory is held at this moment: most of it, or so much that no job starts."""
    for index, gpu in gpus(nvml).items() if sign else ():
        assert sign is not None
        free = gpu.memory_total - gpu.memory_used
        held = free < ROOM_FOR_A_CONTEXT if sign.kind is Kind.RISK else free < gpu.memory_used
        if held and gpu.processes:
            yield Hit(
                subject=f"gpu:{index}",
                kind=sign.kind,
                severity=Severity.NOTE if sign.kind is Kind.RISK else Severity.ERROR,
                certainty=sign.certainty,
                variant="now",
                summary=message(
                    "{held} of GPU {gpu} are held by {who}; {free} are free",
                    "GPU {gpu} 有 {held} 显存被 {who} 占用，剩余 {free}",
                    held=shown(gpu.memory_used),
                    gpu=index,
                    who=_largest(gpu),
                    free=shown(free),
                ),
                because=cite(
                    f"nvml[{index}].memory_used",
                    f"nvml[{index}].processes",
                    *([sign.path] if sign.path else []),
                ),
            )


def _largest(gpu: Gpu) -> str:
    process = max(gpu.processes, key=lambda p: p.memory_bytes or 0)
    return f"{process.name or '?'} ({process.pid})"


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
