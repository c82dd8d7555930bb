"""One change of a path at a time, among all runs of codeblue that share a state directory.

The lock is a file beside the journal, never the target: a rename swaps the inode under a lock. It only keeps
runs from getting in each other's way; what must not be overwritten is safe without it, since every change
compares first and the exchange of names is checked afterwards.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from codeblue import state
from codeblue.remedy.files.place import closed
from codeblue.remedy.files.refusals import refused

SECONDS = 10.0
PAUSE = 0.002


@contextmanager
def locked(path: str, seconds: float = SECONDS) -> Iterator[None]:
    """Hold the lock of a path. Raises Refused if another run holds it too long, or OSError."""
    folder = state.directory() / "locks"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = folder / hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        _wait(descriptor, path, time.monotonic() + seconds)
        yield
    finally:
        closed(descriptor)


def _wait(descriptor: int, path: str, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise refused(
                    "{path}: another run of codeblue is changing it; wait until that has ended",
                    "{path}：另一个 codeblue 正在修改它；请等待其结束",
                    path=path,
                ) from None
            time.sleep(PAUSE)
        else:
            return
