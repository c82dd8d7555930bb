"""
## What it means
A process has as many files open as its limit allows (`ulimit -n`) and got EMFILE, "Too many open files".
Sockets, shared-memory segments and GPU handles count as files too.

## Why it happens
PyTorch's default way of handing tensors between processes keeps one descriptor open for each tensor; NCCL
needs several for each peer; datasets of many small files leave theirs open. The usual soft limit of 1024
is then soon reached, mostly in large jobs or after some epochs. "received 0 items of ancdata" is the same
trouble seen by the receiver.

## When it is not a fault
A low limit with which the job runs is fine: 64 is enough for a small one. "Too many open files in system"
is the limit of the whole machine (`fs.file-max`). When inotify says it, its own limit is meant
(`fs.inotify.max_user_instances`). A number that grows without end is a leak, which no limit cures.

## What to do
`ulimit -n 65536` before the start, up to the hard limit (`ulimit -Hn`); beyond that `nofile` in
`limits.d`, `LimitNOFILE=` for a service, `--ulimit nofile=…` for docker. In PyTorch
`torch.multiprocessing.set_sharing_strategy("file_system")` needs no descriptors. See who holds them: `ls
/proc/PID/fd | wc -l`.

## How safe the fix is
Raising the soft limit concerns this shell and ends with it. `file_system` leaves segments behind in
`/dev/shm` if the job is killed.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import deaths
from codeblue.faults.seen import seen_here
from codeblue.model.facts import Cuda, Host, Limit, Limits, LoaderTrial, Pci, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "open-files-limit-too-low"
ENOUGH = 65536
"""A job that uses up this many has another trouble, most likely a leak."""


def raise_to(value: int) -> Remedy:
    """Raise the soft limit of this shell."""
    return Remedy(
        message("raise the limit of open files to {value}", "把打开文件数的上限提高到 {value}", value=value),
        (
            Step(
                Verb.LIMIT_RAISE,
                message(
                    "before the job is started, in the same shell", "在启动任务之前，于同一个 shell 中执行"
                ),
                {"flag": "-n", "value": str(value)},
            ),
        ),
        Automation.APPROVAL,
        Undo.EXACT,
    )


FAILURES = (100, 304, 999)
"""No device, operating system, unknown: cuInit on an H200 (driver 580) with 16 descriptors or less."""
USED_UP = "Too many open files|ancdata"
"""What the trial of the DataLoader says where descriptors have run out."""
WORKS = 64
"""With this limit cuInit and torch worked on the same machine."""


@fault(
    ID,
    title=Text("The process ran out of file descriptors", "进程的文件描述符用完了"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "rank-raised-exception",
        "nvml-init-failed",
        "cuda-init-failed",
        "compute-mode-exclusive",
        "torch-import-failed",
        "torch-cuda-unavailable",
        "data-loader-fails",
    ),
    references=(
        Reference(
            "PyTorch: multiprocessing, sharing strategies",
            "https://docs.pytorch.org/docs/stable/multiprocessing.html#sharing-strategies",
            "2026-11-30",
        ),
        Reference(
            "Linux: getrlimit(2), RLIMIT_NOFILE",
            "https://man7.org/linux/man-pages/man2/getrlimit.2.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("Too many open files", r"\[Errno 24\] Too many open files", Certainty.LIKELY),
        Signature("Too many open files", r"Too many open files \(24\)", Certainty.LIKELY),
        Signature("Too many open files", r"Too many open files\. Communication with", Certainty.LIKELY),
        Signature(
            "Too many open files",
            r"(Call to \w+ failed|NCCL WARN .*|(accept4?|socket|open|pipe2?|dup|eventfd)(\(\))?) ?: *"
            r"Too many open files($|[^ ])",
            Certainty.LIKELY,
        ),
        Signature("items of ancdata", r"received 0 items of ancdata", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "Too many open files|Errno 24|EMFILE|ancdata|打开.{0,4}文件.{0,6}(?:过多|太多)",
                r"ulimit|nofile|open files \(-n\)|max open files|RLIMIT_NOFILE|file descriptors?"
                r"|num_workers|DataLoader|sharing_strategy|NCCL|limits\.conf|LimitNOFILE|1024|句柄"
                "|文件描述符|worker|rank",
            ),
            none=("inotify|fsnotify|max_user_instances|files in system|directory watch|hint:|if you see",),
        ),
    ),
    remedy=raise_to(ENOUGH),
    next_command="ulimit -n; ulimit -Hn; ls /proc/PID/fd | wc -l",
)
def open_files_limit_too_low(
    limits: Limits,
    sightings: Sightings | None = None,
    host: Host | None = None,
    cuda: Cuda | None = None,
    pci: Pci | None = None,
    *,
    loader_trial: LoaderTrial | None = None,
) -> Iterator[Hit]:
    limit = limits.limits.get("files")
    if limit is None or limit.soft is None or limit.soft >= ENOUGH:
        return
    death = min(deaths(loader_trial, USED_UP), default=None)
    if death is not None:
        yield Hit(
            subject="host",
            variant="loader",
            summary=message(
                "a DataLoader with {workers} workers ran out of file descriptors; a process may open {soft}",
                "有 {workers} 个 worker 的 DataLoader 用完了文件描述符；每个进程最多打开 {soft} 个",
                workers=death.workers,
                soft=limit.soft,
            ),
            because=cite(death.path, "limits[files].soft"),
            remedy=_raise(limit),
        )
        return
    if seen_here(ID, sightings, host):
        yield Hit(
            subject="host",
            summary=message(
                "the job ran out of file descriptors, and a process may open {soft} here",
                "任务用完了文件描述符，而这里每个进程最多打开 {soft} 个",
                soft=limit.soft,
            ),
            because=cite("limits[files].soft"),
            remedy=_raise(limit),
        )
    elif cuda is not None and pci is not None and limit.soft < WORKS:
        if cuda.init not in FAILURES or not pci.nvidia_gpus:
            return
        yield Hit(
            subject="host",
            variant="cuda",
            certainty=Certainty.LIKELY,
            summary=message(
                "cuInit fails with {code}, and a process may open only {soft} files; CUDA alone takes more",
                "cuInit 返回 {code}，而每个进程只能打开 {soft} 个文件，单是 CUDA 就不够用",
                code=cuda.init,
                soft=limit.soft,
            ),
            because=cite("limits[files].soft", "cuda.init"),
            remedy=_raise(limit),
        )


def _raise(limit: Limit) -> Remedy:
    if limit.hard is None or limit.hard >= ENOUGH:
        return raise_to(ENOUGH)
    return Remedy(
        message("have the hard limit raised", "请管理员提高硬限制"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "nofile in /etc/security/limits.d, LimitNOFILE= of the service, "
                    "or --ulimit nofile= of docker",
                    "/etc/security/limits.d 中的 nofile、服务的 LimitNOFILE=，或 docker 的 --ulimit nofile=",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    )
