"""
## What it means
A file system on which the job works has no room left. Writes fail with errno 28, "No space left on
device": checkpoints end truncated, pip and the compilers stop halfway, logs and even error messages get
lost.

## Why it happens
Checkpoints that nobody removes, model and data set caches below the home folder, images and layers of the
container engine below `/var/lib/docker`, core dumps, logs. In a container everything that lies outside a
volume counts against the engine's disk. Part of ext4 (5 % unless set otherwise) is kept for root: an
ordinary user meets the end earlier.

## When it is not a fault
Read-only images (squashfs, ISO) are full by nature. A full disk to which the job does not write does no
harm yet: without an error line this is a risk. The same words can also mean a lack of inodes, a used-up
quota, or the kernel's limit of inotify watches.

## What to do
`df -h` and `df -i` for the place in the message, `quota -s` where quotas exist, then `du -xsh /place/* | sort
-h | tail`. Typical gains: old checkpoints, `docker system df` and `docker image prune`, `pip cache purge`,
`hf cache prune`, `journalctl --vacuum-size=500M`. `lsof +L1` lists deleted files that a program still
holds open. Point TMPDIR, HF_HOME and the output folder to the disk with room.

## How safe the fix is
Deleting cannot be undone: look at the list first, and ask before removing what others share. Distrust the
checkpoint that was being written: go back to the one before.
"""

from collections.abc import Iterator

from codeblue.faults.disk_space import said_full, writable_disks
from codeblue.model.facts import Filesystem, Filesystems, Host, Sightings
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SHARE = 100
"""Full means: less than one part in a hundred is free, a tenth of where Kubernetes evicts."""
LITTLE = 1 << 30
"""Bytes: on a large disk one part in a hundred may still be plenty; one wheel of torch is nearly this."""


@fault(
    "filesystem-full",
    title=Text("A file system is full", "文件系统已满"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("rank-raised-exception",),
    references=(
        Reference(
            "Kubernetes: node-pressure eviction, nodefs.available<10%",
            "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
            "2026-11-30",
        ),
        Reference(
            "mke2fs(8): reserved blocks, default 5 %",
            "https://man7.org/linux/man-pages/man8/mke2fs.8.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("No space left on device", r"\[Errno 28\] No space left on device", Certainty.LIKELY),
        Signature("No space left on device", r"No space left on device \(os error 28\)", Certainty.LIKELY),
        Signature("no space left on device", r"(?:write|mkdir|copy_file_range) /.*: no space left on device"),
    ),
    remedy=Remedy(
        message("make room, or write to a disk that has some", "清理空间，或改写到有空间的磁盘"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "df -h, then du -xsh on the largest folders; remove old checkpoints, caches and images",
                    "先 df -h，再对大目录 du -xsh；删除旧 checkpoint、缓存和镜像",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="df -h . ~ /tmp /var; df -i . ~ /tmp /var; lsof +L1 | head",
)
def filesystem_full(
    filesystems: Filesystems, sightings: Sightings | None = None, host: Host | None = None
) -> Iterator[Hit]:
    full = [(role, row) for role, row in writable_disks(filesystems) if _is_full(row)]
    said = said_full(sightings, host)
    for role, row in full:
        yield Hit(
            subject=f"filesystem:{role}",
            summary=message(
                "the file system of {role} has {free} MiB of {total} GiB free",
                "{role} 所在的文件系统 {total} GiB 中只剩 {free} MiB",
                role=role,
                free=row.free >> 20,
                total=row.total >> 30,
            ),
            because=cite(f"filesystems[{role}].free", f"filesystems[{role}].total"),
            kind=Kind.TROUBLE if said else Kind.RISK,
            severity=Severity.ERROR if said else Severity.WARNING,
            certainty=Certainty.LIKELY if said else Certainty.CERTAIN,
        )


def _is_full(row: Filesystem) -> bool:
    return row.total > 0 and row.free * SHARE < row.total and row.free < LITTLE
