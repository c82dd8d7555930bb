"""
## What it means
A file system has free blocks but no free inodes: no new file can be made on it, however small. The error
is the same as for a full disk, "No space left on device", while `df -h` shows room. Driver installers,
DKMS builds, package managers, the container engine and every job that opens a new file fail.

## Why it happens
ext4 and its like fix the number of inodes when they are made, by default one for 16 KiB. Data sets of many
small files, package caches (conda's `pkgs`, `node_modules`), container layers, session and mail files eat
them up long before the space.

## When it is not a fault
btrfs, ZFS and most network file systems make inodes as they need them and report none; that is not
counted. If no job writes there, it is a risk only.

## What to do
`df -i` names the file system; `du --inodes -xS / | sort -n | tail` the folders with the most files.
Remove what is not needed: `conda clean --packages --tarballs`, `docker system prune`, old kernels and
logs. Keep data sets of many small files in archives (tar, WebDataset, Parquet). xfs can raise its share
with `xfs_growfs -m`; ext4 must be made anew with `mkfs.ext4 -i`.

## How safe the fix is
Deleting cannot be undone; look at the list first. Making a file system anew destroys its content.
"""

from collections.abc import Iterator

from codeblue.faults.disk_space import said_full, writable_disks
from codeblue.model.facts import Filesystems, Host, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "inodes-exhausted",
    title=Text("A file system has no inodes left", "文件系统的 inode 已用完"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "filesystem-full",
        "cache-filesystem-full",
        "rank-raised-exception",
        "node-disk-pressure",
    ),
    references=(
        Reference(
            "mke2fs(8): bytes per inode",
            "https://man7.org/linux/man-pages/man8/mke2fs.8.html",
            "2026-11-30",
        ),
        Reference(
            "statvfs(3): ENOSPC and f_favail",
            "https://man7.org/linux/man-pages/man3/statvfs.3.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                "No space left on device|disk (?:is )?full|空间不足|ENOSPC|cannot create|写不(?:进"
                "|了)|Errno 28",
                r"\binodes?\b|IUse%|IFree|df -i",
            ),
            none=("inotify",),
        ),
    ),
    remedy=Remedy(
        message("remove files where they are many", "删除文件数最多之处的无用文件"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "df -i, then du --inodes -xS on that file system; remove caches of many small files",
                    "先 df -i，再在该文件系统上 du --inodes -xS；删除小文件很多的缓存",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="df -i; du --inodes -xS / 2>/dev/null | sort -n | tail",
)
def inodes_exhausted(
    filesystems: Filesystems, sightings: Sightings | None = None, host: Host | None = None
) -> Iterator[Hit]:
    disks = [(role, row.inodes) for role, row in writable_disks(filesystems) if row.inodes_free == 0]
    said = said_full(sightings, host)
    for role, inodes in disks:
        if not inodes:
            continue  # made on demand, and not counted
        yield Hit(
            subject=f"filesystem:{role}",
            summary=message(
                "the file system of {role} has none of its {inodes} inodes free",
                "{role} 所在的文件系统共 {inodes} 个 inode，已全部用完",
                role=role,
                inodes=inodes,
            ),
            because=cite(f"filesystems[{role}].inodes_free", f"filesystems[{role}].free"),
            kind=Kind.TROUBLE if said else Kind.RISK,
            severity=Severity.ERROR if said else Severity.WARNING,
            certainty=Certainty.LIKELY if said else Certainty.CERTAIN,
        )
