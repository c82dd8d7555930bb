"""
## What it means
The system refused a new thread or process (EAGAIN, "Resource temporarily unavailable"). Threads count as
processes, and the count is over everything that the user runs on the machine, or over the container.

## Why it happens
OpenBLAS, OpenMP and MKL start one thread for each CPU in each process: on a machine with 128 CPUs eight
ranks with eight workers each ask for thousands. Limits come from `ulimit -u` (`nproc` in `limits.d`, 4096
on some distributions), from `pids.max` of the control group (docker `--pids-limit`, `podPidsLimit` of the
kubelet, `TasksMax` of systemd), and in the end from `kernel.threads-max`.

## When it is not a fault
A low limit under which the job runs. "can't start new thread" under an old docker with a new image has
another reason: its seccomp profile blocks `clone3`, and no limit is involved. The same errno from a
non-blocking read is not about processes.

## What to do
Fewer threads first: `OMP_NUM_THREADS` = CPUs divided by the processes of this machine, the same for
`OPENBLAS_NUM_THREADS`. Then see which limit is hit: `ulimit -u`, `cat /sys/fs/cgroup/pids.max`, `ps -eLf
| wc -l`, and raise that one. Look for left-over workers of earlier runs; they count too.

## How safe the fix is
Limiting threads changes speed, not results. A raised soft limit ends with its shell.
"""

from collections.abc import Iterator

from codeblue.faults.seen import seen_here
from codeblue.model.facts import Cgroup, Host, Limits, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "process-limit-too-low"
LOW = 4096
"""The soft limit that Red Hat's 20-nproc.conf gives every user."""

FEWER_THREADS = Remedy(
    message("start fewer threads, then raise the limit", "先减少线程数，再提高上限"),
    (
        Step(
            Verb.ENV_SET,
            message(
                "BLAS and OpenMP otherwise start one thread per CPU in every process",
                "否则 BLAS 和 OpenMP 会在每个进程里按 CPU 数启动线程",
            ),
            {"name": "OMP_NUM_THREADS", "value": "4"},
        ),
        Step(
            Verb.INSTRUCT,
            message(
                "if that does not do: nproc in limits.d, --pids-limit of docker, "
                "podPidsLimit of the kubelet, TasksMax= of systemd",
                "如果仍不够：limits.d 的 nproc、docker 的 --pids-limit、"
                "kubelet 的 podPidsLimit、systemd 的 TasksMax=",
            ),
        ),
    ),
    Automation.APPROVAL,
    Undo.EXACT,
)


@fault(
    ID,
    title=Text("The limit of processes and threads was reached", "进程和线程数达到了上限"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("rank-raised-exception", "torch-import-failed", "process-segfault"),
    references=(
        Reference(
            "Linux: getrlimit(2), RLIMIT_NPROC",
            "https://man7.org/linux/man-pages/man2/getrlimit.2.html",
            "2026-11-30",
        ),
        Reference(
            "Linux: control group v2, pids controller",
            "https://docs.kernel.org/admin-guide/cgroup-v2.html#pid",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "blas_thread_init", r"blas_thread_init: RLIMIT_NPROC (?P<soft>\d+) current", Certainty.LIKELY
        ),
        Signature(
            "Thread creation failed",
            r"libgomp: Thread creation failed: Resource temporarily unavailable",
            Certainty.LIKELY,
        ),
        Signature("can't start new thread", r"RuntimeError: can't start new thread", Certainty.LIKELY),
        Signature(
            "Resource temporarily unavailable",
            r"(fork|pthread_create)[^:]*: (retry: )?Resource temporarily unavailable",
            Certainty.LIKELY,
        ),
        Signature(
            "what():  Resource temporarily unavailable",
            r"what\(\):  Resource temporarily unavailable",
            Certainty.LIKELY,
        ),
        Signature(
            "Resource temporarily unavailable",
            "(?:pthread_create|fork|clone|[Tt]hread).{0,60}Resource temporarily unavailable",
            Certainty.LIKELY,
        ),
        Signature("can't start new thread", "can't start new thread", Certainty.LIKELY),
        Signature("pthread_create failed", "pthread_create failed", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "Resource temporarily unavailable|can't start new thread|pthread_create|cannot fork"
                "|fork: retry|Cannot create .{0,12}thread|std::system_error|Errno 11|BlockingIOError"
                "|无法创建(?:新)?线程",
                r"ulimit -u|max user processes|nproc\b|RLIMIT_NPROC|pids[.-]?(?:max|limit)|pids cgroup"
                r"|TasksMax|limits\.d|process limit|number of (?:processes|threads)"
                "|OPENBLAS_NUM_THREADS|OMP_NUM_THREADS|线程数|进程数",
            ),
            none=("clone3|seccomp|memory limit",),
        ),
    ),
    remedy=FEWER_THREADS,
    next_command="ulimit -u; cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids.current; ps -eLf | wc -l",
)
def process_limit_too_low(
    sightings: Sightings, host: Host, limits: Limits | None = None, cgroup: Cgroup | None = None
) -> Iterator[Hit]:
    limit = limits.limits.get("processes") if limits else None
    soft = limit.soft if limit else None
    group = cgroup.pids_max if cgroup else None
    if not seen_here(ID, sightings, host):
        return
    if group is not None and group <= LOW and (soft is None or group <= soft):
        yield _reached("control-group", group, "cgroup.pids_max")
    elif soft is not None and soft <= LOW:
        yield _reached("user", soft, "limits[processes].soft")


def _reached(variant: str, limit: int, path: str) -> Hit:
    return Hit(
        subject="host",
        variant=variant,
        summary=message(
            "a new thread was refused, and the limit here is {limit} ({path})",
            "新线程被拒绝，而这里的上限是 {limit}（{path}）",
            limit=limit,
            path=path,
        ),
        because=cite(path),
    )
