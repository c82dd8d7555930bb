"""
## What it means
`/dev/shm` is smaller than the site's codeblue.toml asks for. DataLoader workers and NCCL share memory
through it; a job that fits on the other nodes may die of a bus error here. Where the expectation comes from
is in the evidence: the file behind `expectations`. Without a codeblue.toml nothing is expected and this is
never said.

## Why it happens
Docker and Kubernetes give a container 64 MB unless told otherwise. On a host the default is half the
memory, so that a machine with less memory, or a line in fstab, makes it smaller.

## When it is not a fault
A job without workers may never touch it: lower the number or waive it. The size is judged, not what is free
at the moment. A tmpfs without a bound reports 0 and meets every expectation.

## What to do
Docker, podman: `--shm-size=16g`, or `--ipc=host`. Kubernetes: an `emptyDir` with `medium: Memory` mounted
on `/dev/shm`. On a host: `mount -o remount,size=16g /dev/shm`, and fstab to keep it.

## How safe the fix is
The size is only an upper bound, memory is used as files are written. A container has to be created again; a
remount on a host disturbs nobody.
"""

# ruff: noqa: S108 - /dev/shm is the subject, not a temporary file
from collections.abc import Iterator

from codeblue.faults.container.shm_too_small import LARGER_CONTAINER
from codeblue.model.facts import Container, Expectations, Filesystems
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.site import size_in_bytes
from codeblue.model.text import Text, message

SHM = "/dev/shm"


@fault(
    "shm-below-expectation",
    title=Text("/dev/shm is smaller than the site expects", "/dev/shm 小于站点的期望"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=("shm-too-small",),
    remedy=LARGER_CONTAINER,
    next_command="df -h /dev/shm",
)
def shm_below_expectation(
    expectations: Expectations, filesystems: Filesystems, container: Container | None
) -> Iterator[Hit]:
    wanted = expectations.shm
    if wanted is None:
        return
    shm = filesystems.filesystems.get(SHM)
    if shm is not None and (shm.total == 0 or shm.total >= size_in_bytes(wanted)):
        return
    yield Hit(
        subject=f"filesystem:{SHM}",
        summary=message(
            "/dev/shm has {total} MiB, the site expects {wanted}",
            "/dev/shm 有 {total} MiB，站点期望 {wanted}",
            total=shm.total >> 20 if shm else 0,
            wanted=wanted,
        ),
        because=cite(f"filesystems[{SHM}].total" if shm else "filesystems.filesystems", "expectations.shm"),
        remedy=LARGER_CONTAINER if container else _larger_mount(wanted),
    )


def _larger_mount(size: str) -> Remedy:
    why = message("the size is an upper bound, not a reservation", "大小只是上限，并不预先占用内存")
    return Remedy(
        message("enlarge /dev/shm to {size}", "把 /dev/shm 扩大到 {size}", size=size),
        (Step(Verb.SHM_RESIZE, why, {"size": size.lower()}),),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
