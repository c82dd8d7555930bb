"""
## What it means
The kernel ended a process because memory, that of the host or that of the process's control group, was
used up. It is host memory, not GPU memory. The victim gets no chance to say anything: its parent reports
"Killed", signal 9 or exit code -9 or 137.

## Why it happens
Each DataLoader worker holds a copy of what the dataset object touches; prefetched batches, pinned memory,
a checkpoint that every rank loads at the same time and caches in `/dev/shm` or another tmpfs come on top.
In a container, pod or Slurm job the limit of the control group counts, not what `free` shows.

## When it is not a fault
Signal 9 can also come from a person, the launcher or the scheduler (time limit, preemption). An earlier
kill on this machine says nothing about a job that runs now: without a matching message it is only worth a
note.

## What to do
See the victim and the limit: `sudo dmesg -T | grep -iE 'killed process|oom-kill'`, and `cat
/sys/fs/cgroup/memory.max /sys/fs/cgroup/memory.events`. Then use fewer workers, a lower
`prefetch_factor`, memory-mapped data instead of Python lists, `torch.load(mmap=True)`; or ask for more
memory (`--mem`, `resources.limits.memory`, `-m`).

## How safe the fix is
It is a change in the job or in its request. Switching the OOM killer off turns a clear end into a machine
that hangs.
"""

import re
from collections.abc import Iterator

from codeblue.faults.seen import seen_here
from codeblue.model.facts import Cgroup, Host, KernelLog, Sightings, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "host-memory-exhausted"
VICTIMS = r"\((?P<victim>(python|pt_|ray|torchrun|accelerate|deepspeed|VLLM|jupyter|uvicorn)[^)]*)\)"
KILL = re.compile(r"[Oo]ut of memory: Kill(ed)? process \d+ " + VICTIMS)

USE_LESS = Remedy(
    message("use less host memory, or ask for more", "减少主机内存用量，或申请更多"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "fewer DataLoader workers and a lower prefetch_factor; "
                "or a higher memory limit of the container or job",
                "减少 DataLoader worker 和 prefetch_factor；或提高容器、作业的内存上限",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    ID,
    title=Text("Host memory was used up and the kernel killed a process", "主机内存耗尽，内核杀死了进程"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("rank-killed", "torch-import-failed", "gpu-kernel-failed"),
    references=(
        Reference(
            "Linux: control group v2, memory.events",
            "https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: torch.utils.data, memory of worker processes",
            "https://docs.pytorch.org/docs/stable/data.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\bKilled\b|\bOOM\b|SIGKILL|exit code 137|exitcode ?: ?-9|signal 9|MemoryError|"
                r"cannot allocate memory|can't allocate memory|out of memory: kill|oom-kill|"
                r"unexpectedly exited|exited unexpectedly|被杀|内存溢出",
                r"(?:host|system|cpu|main|physical) (?:memory|RAM)|\bRAM\b|free -[mgh]|\bswap|"
                r"num_workers|\d+ workers|\d+ ?GB of memory|主机内存|系统内存|物理内存|内存",
            ),
            none=(
                r"CUDA out of memory",
                r"OutOfMemoryError",
                r"dev/shm|\bshm\b",
                r"locked|memlock|ibv_",
                r"nvcc|cc1plus|ninja|MAX_JOBS|Building wheel",
                r"OOMKilled|cgroup|slurmstepd|--mem\b|Evicted|memory limit|limits:",
                r"Bus error",
                r"pinned|pin_memory|page-locked",
            ),
        ),
    ),
    signatures=(
        Signature(
            "ut of memory: Kill", r"[Oo]ut of memory: Kill(ed)? process \d+ " + VICTIMS, Certainty.LIKELY
        ),
        Signature(
            "oom-kill:",
            r"oom-kill:constraint=.*,task=(?P<task>(python|pt_|ray|torchrun)[^,]*),",
            Certainty.LIKELY,
        ),
        Signature(
            "killed by signal: Killed",
            r"DataLoader worker \(pid\(?s?\)? \d+\) is killed by signal: Killed",
            Certainty.LIKELY,
        ),
        Signature("OOMKilled", r"\"OOMKilled\": ?true|Reason: +OOMKilled", Certainty.LIKELY),
        Signature("Killed", r"^(\S+: line \d+: +\d+ )?Killed( {2,}.*)?$", Certainty.POSSIBLE),
        Signature(
            "DefaultCPUAllocator",
            r"DefaultCPUAllocator: (?:can't|not enough) (?:allocate )?memory",
            Certainty.LIKELY,
        ),
        Signature("MemoryError", r"^(?:numpy\.\S*)?_?(?:Array)?MemoryError(?::|$)", Certainty.LIKELY),
        Signature("Unable to allocate", r"MemoryError: Unable to allocate [\d.]+ [GT]iB", Certainty.LIKELY),
        Signature(
            "Cannot allocate memory", r"OSError: \[Errno 12\] Cannot allocate memory", Certainty.LIKELY
        ),
    ),
    remedy=USE_LESS,
    next_command="sudo dmesg -T | grep -iE 'killed process|oom-kill'; cat /sys/fs/cgroup/memory.events",
)
def host_memory_exhausted(
    sightings: Sightings | None = None,
    torch_trial: TorchTrial | None = None,
    kernel_log: KernelLog | None = None,
    cgroup: Cgroup | None = None,
    host: Host | None = None,
) -> Iterator[Hit]:
    killed = ("torch_trial.signal",) if torch_trial and torch_trial.signal == "SIGKILL" else ()
    if not killed and not seen_here(ID, sightings, host):
        return
    lines = kernel_log.lines if kernel_log else []
    logged = [n for n, line in enumerate(lines) if KILL.search(line.text)]
    if logged:
        yield _by_kernel(logged[-1], lines[logged[-1]].text, killed)
    elif cgroup and cgroup.oom_kills:
        yield _counted(cgroup.oom_kills, cgroup.memory_max, killed)


def _by_kernel(position: int, line: str, killed: tuple[str, ...]) -> Hit:
    return Hit(
        subject="host",
        variant="control-group" if "emory cgroup" in line else "host",
        summary=message(
            "the kernel killed a process of this kind for memory: {line}",
            "内核因内存不足杀死过这类进程：{line}",
            line=line.strip()[:160],
        ),
        because=cite(f"kernel_log.lines[{position}].text", *killed),
        certainty=Certainty.LIKELY,
    )


def _counted(kills: int, limit: int | None, killed: tuple[str, ...]) -> Hit:
    return Hit(
        subject="host",
        variant="host" if limit is None else "control-group",
        summary=message(
            "the kernel has killed {kills} process(es) of this control group for memory (limit: {limit})",
            "内核已因内存不足杀死这个 cgroup 中的 {kills} 个进程（上限：{limit}）",
            kills=kills,
            limit="-" if limit is None else f"{limit / (1 << 30):.1f} GiB",
        ),
        because=cite("cgroup.oom_kills", "cgroup.memory_max", *killed),
        certainty=Certainty.LIKELY,
    )
