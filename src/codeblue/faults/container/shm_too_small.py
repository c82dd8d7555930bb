"""
## What it means
Processes hand tensors to each other through files in `/dev/shm`, a memory file system of fixed size. When
it is full, a DataLoader worker fails with "unable to allocate shared memory(shm)", dies of a bus error,
or NCCL cannot create its segments.

## Why it happens
Docker and Kubernetes give a container 64 MB. One batch of 64 float32 images of 3×224×224 takes 38.5 MB,
and every worker prefetches two. Or the size is fine and the place is taken: segments of crashed runs stay
until somebody deletes them.

## When it is not a fault
A job without DataLoader workers and with GPUs that reach each other directly may never touch `/dev/shm`,
so 64 MB alone is only a risk. A bus error can also come from a memory-mapped data file that was cut
short. `NCCL_SHM_DISABLE=1` is a bypass for NCCL, not a fix.

## What to do
Docker, podman: `--shm-size=8g`, or `--ipc=host`. Compose: `shm_size`. Kubernetes: an `emptyDir` with
`medium: Memory` mounted on `/dev/shm`; it counts towards the memory limit of the pod. On a host: `mount
-o remount,size=8g /dev/shm`. Full: `ls -l /dev/shm`, and delete what no running process uses. Until then
`num_workers=0` runs.

## How safe the fix is
The size is only an upper bound, memory is used as files are written. A container has to be created again;
a remount on a host disturbs nobody.
"""

# ruff: noqa: S108 - /dev/shm is the subject, not a temporary file
from collections.abc import Iterator

from msgspec import UnsetType, structs

from codeblue.faults.feeding import Death, deaths
from codeblue.faults.seen import seen_here
from codeblue.model.facts import Container, Filesystem, Filesystems, Host, LoaderTrial, Sightings, Torch
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Text, message

ID = "shm-too-small"
SHM = "/dev/shm"
SUBJECT = f"filesystem:{SHM}"
DOCKER_DEFAULT = 64 << 20
ONE_BATCH = 64 * 3 * 224 * 224 * 4
"""Bytes of 64 float32 images; a file system smaller than this cannot carry one such batch."""
FULL = 20
"""Full means: less than one part in twenty is free."""

IN_KUBERNETES = Step(
    Verb.INSTRUCT,
    message(
        "docker and podman: --shm-size=8g or --ipc=host; "
        "Kubernetes: an emptyDir with medium: Memory on /dev/shm",
        "docker 和 podman：--shm-size=8g 或 --ipc=host；"
        "Kubernetes：把 medium: Memory 的 emptyDir 挂到 /dev/shm",
    ),
)
LARGER_CONTAINER = Remedy(
    message("create the container again with a larger /dev/shm", "用更大的 /dev/shm 重新创建容器"),
    (IN_KUBERNETES,),
    Automation.HUMAN,
    Undo.COMPENSATING,
)
NO_ROOM = r"Bus error|shared memory\(shm\)|signal 7\b|No space left on device"
"""What the trial of the DataLoader says where a segment does not fit."""
TRIED = 1 << 30
"""Bytes: the trial has 17 batches of 19 MB under way at most; in a larger one they died of another cause."""
ENGINES = ("docker", "podman")
"""Engines whose containers are started with options of one command line."""
LARGER_BY_FLAG = structs.replace(
    LARGER_CONTAINER,
    steps=(
        IN_KUBERNETES,
        Step(
            Verb.CONTAINER_FLAGS,
            message("the size is an upper bound, not a reservation", "大小只是上限，并不预先占用内存"),
            {"flags": "--shm-size=8g"},
        ),
    ),
)
LARGER_MOUNT = Remedy(
    message("enlarge /dev/shm", "扩大 /dev/shm"),
    (
        Step(
            Verb.SHM_RESIZE,
            message("the size is an upper bound, not a reservation", "大小只是上限，并不预先占用内存"),
            {"size": "8g"},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)
MAKE_ROOM = Remedy(
    message("delete left-over segments in /dev/shm", "删除 /dev/shm 中遗留的段"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "list with `ls -l /dev/shm`, ask `fuser -v FILE`, delete what no process uses",
                "用 `ls -l /dev/shm` 列出，用 `fuser -v 文件` 查询，删除没有进程使用的文件",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    ID,
    title=Text("/dev/shm is too small or full", "/dev/shm 太小或已满"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "filesystem-full",
        "rank-raised-exception",
        "rank-killed",
        "process-segfault",
        "data-loader-fails",
    ),
    references=(
        Reference(
            "docker container run: --shm-size, default 64m",
            "https://docs.docker.com/reference/cli/docker/container/run/",
            "2026-11-30",
        ),
        Reference(
            "PyTorch, torch.utils.data: shared memory of workers",
            "https://docs.pytorch.org/docs/stable/data.html",
            "2026-11-30",
        ),
        Reference(
            "NCCL, troubleshooting: shared memory",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "unable to allocate shared memory(shm)", r"unable to allocate shared memory\(shm\) for file"
        ),
        Signature(
            "to the right size", r"unable to resize file </torch_[^>]*> to the right size: No space left"
        ),
        Signature("No space left on device", r"No space left on device.*/dev/shm/"),
        Signature("No space left on device", r"/dev/shm/.*No space left on device"),
        Signature("posix_fallocate failed", r"Call to posix_fallocate failed *: *No space left on device"),
        Signature("failed to extend /dev/shm/", r"failed to extend /dev/shm/nccl-\S+ to \d+ bytes"),
        Signature(
            "while creating shared memory segment",
            r"Error while creating shared memory segment (/dev/shm/)?nccl-",
            Certainty.LIKELY,
        ),
        Signature(
            "unhandled system error",
            r"NCCL (?:[Ee]rror|failure).*unhandled system error",
            Certainty.POSSIBLE,
        ),
        Signature("Unexpected bus error", r"Unexpected bus error encountered in worker", Certainty.LIKELY),
        Signature("Bus error", r"DataLoader worker .*killed by signal: Bus error", Certainty.LIKELY),
        Signature("shared memory", "insufficient shared memory", Certainty.LIKELY),
        Signature(
            "shared memory segment",
            "(?:error|failed).{0,60}shared memory segment.{0,30}nccl",
            Certainty.LIKELY,
        ),
        Signature("No space left", "SHM.{0,40}No space left", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "Bus error|SIGBUS|bus error|No space left on device|killed by signal"
                "|unhandled system error|exited unexpectedly|posix_fallocate",
                r"/dev/shm|--shm-size|shm[-_]?size|\bshm\b|shared[- ]memory|--ipc=host|ipc: host"
                "|emptyDir|共享内存",
                r" 64M|64 MB|64MB|64MiB|64 MiB|64m\b|65536|full|100%|too small|insufficient|not enough"
                r"|out of|docker|container|pod\b|k8s|num_workers|--shm-size|--ipc|emptyDir|fixe?[sd]"
                "|helps|太小|不足|不够|满了|已满|容器",
            ),
            none=(
                "Permission denied|left ?over|crashed runs|orphan|GPU shared memory"
                "|dynamic shared memory|per block|shared memory per|smem|inode|残留",
            ),
        ),
        Clue(
            all=(
                "Bus error|SIGBUS|unhandled system error|DataLoader worker.{0,60}(?:killed|exited)",
                r"(?:shm|/dev/shm|tmpfs)\b.{0,40}\b(?:64M|64 ?MB|65536)|\b64M\b.{0,40}/dev/shm"
                "|--ipc=host|shm-size",
            ),
        ),
    ),
    remedy=LARGER_CONTAINER,
    next_command="df -h /dev/shm; ls -l /dev/shm | head",
)
def shm_too_small(
    filesystems: Filesystems,
    container: Container | Unread | None = UNREAD,
    torch: Torch | None = None,
    sightings: Sightings | None = None,
    host: Host | None = None,
    *,
    loader_trial: LoaderTrial | None = None,
) -> Iterator[Hit]:
    shm = filesystems.filesystems.get(SHM)
    death = min(deaths(loader_trial, NO_ROOM), default=None)
    seen = death is not None or seen_here(ID, sightings, host)
    if shm is None or shm.total == 0 or (torch is None and not seen):
        return  # a tmpfs without a bound reports 0
    # Nobody makes a /dev/shm of docker's size on a host.
    contained = shm.total == DOCKER_DEFAULT if isinstance(container, UnsetType) else container is not None
    flagged = isinstance(container, Container) and container.engine in ENGINES
    larger = LARGER_BY_FLAG if flagged else LARGER_CONTAINER if contained else LARGER_MOUNT
    if shm.free * FULL < shm.total:
        yield _full(shm, seen)
    elif shm.total < ONE_BATCH and not seen:
        yield _small(shm, Kind.TROUBLE, Certainty.LIKELY, larger)
    elif shm.total <= DOCKER_DEFAULT:
        yield _small(shm, Kind.TROUBLE if seen else Kind.RISK, Certainty.CERTAIN, larger)
    elif death is not None and shm.total < TRIED:
        yield _died(shm, death, larger)


def _died(shm: Filesystem, death: Death, remedy: Remedy) -> Hit:
    return Hit(
        subject=SUBJECT,
        summary=message(
            "/dev/shm has {total} MiB, and a DataLoader with {workers} workers found no room in it",
            "/dev/shm 有 {total} MiB，而有 {workers} 个 worker 的 DataLoader 在里面放不下数据",
            total=shm.total >> 20,
            workers=death.workers,
        ),
        because=cite(f"filesystems[{SHM}].total", death.path),
        certainty=Certainty.LIKELY,
        remedy=remedy,
    )


def _full(shm: Filesystem, seen: bool) -> Hit:
    return Hit(
        subject=SUBJECT,
        variant="full",
        summary=message(
            "/dev/shm is full: {free} MiB of {total} MiB are free",
            "/dev/shm 已满：{total} MiB 中只剩 {free} MiB",
            free=shm.free >> 20,
            total=shm.total >> 20,
        ),
        because=cite(f"filesystems[{SHM}].free", f"filesystems[{SHM}].total"),
        kind=Kind.TROUBLE if seen else Kind.RISK,
        severity=Severity.ERROR if seen else Severity.WARNING,
        remedy=MAKE_ROOM,
    )


def _small(shm: Filesystem, kind: Kind, certainty: Certainty, remedy: Remedy) -> Hit:
    return Hit(
        subject=SUBJECT,
        summary=message(
            "/dev/shm has {total} MiB; one batch of 64 images takes {batch} MB",
            "/dev/shm 只有 {total} MiB，而一个 64 张图像的 batch 就要 {batch} MB",
            total=shm.total >> 20,
            batch=f"{ONE_BATCH / 1e6:.1f}",
        ),
        because=cite(f"filesystems[{SHM}].total"),
        kind=kind,
        severity=Severity.ERROR if kind is Kind.TROUBLE else Severity.WARNING,
        certainty=certainty,
        remedy=remedy,
    )
