"""Which file systems a job writes to, each once, and whether a text says that one of them is full."""

from collections.abc import Iterator

from codeblue.faults.seen import seen_here
from codeblue.model.facts import Filesystem, Filesystems, Host, Sightings

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the name of a role
SAID = ("filesystem-full", "cache-filesystem-full")
"""Faults whose lines are the kernel's ENOSPC, which stands for blocks and for inodes."""


def writable_disks(filesystems: Filesystems) -> Iterator[tuple[str, Filesystem]]:
    """Yield role and row of every disk; several roles on one disk count once.

    Shared memory has a fault of its own, and what is mounted read-only is full by nature.
    """
    known: set[tuple[str | None, int, int, int]] = set()
    for role, row in filesystems.filesystems.items():
        if role == SHARED_MEMORY or row.read_only:
            continue
        disk = (row.kind, row.total, row.free, row.inodes_free)
        if disk not in known:
            known.add(disk)
            yield role, row


def said_full(sightings: Sightings | None, host: Host | None) -> bool:
    """Return whether a text of this machine says that no space is left."""
    return any(seen_here(fault, sightings, host) for fault in SAID)
