"""Put a finished file in the place of another without losing what somebody writes meanwhile.

Between a last look and a rename there is a moment in which another program may write. So both names are
exchanged, and what came out is compared: if it is not what was expected, the names are exchanged back. While
that is done a read lease is held, which tells whether anybody has opened the old file for writing; a program
that writes into a file it opened earlier is waited for.

What this cannot do: a kill right behind the exchange, in the same moment in which somebody else has written,
leaves the other's text in the temporary file, and a sweep removes it.
"""

import errno
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from codeblue.remedy.actions import Keep
from codeblue.remedy.files.place import Content, Place, closed, whole
from codeblue.remedy.files.refusals import changed, refused
from codeblue.remedy.files.renaming import Unsupported, exchange, without_overwriting

WRITERS_MAY_TAKE = 1.0
"""Seconds. A program that has a configuration open for writing longer than that keeps it open."""
PAUSE = 0.002
NO_LEASES = frozenset({errno.EINVAL, errno.EACCES, errno.ENOLCK, errno.EOPNOTSUPP, errno.EPERM})
"""What file systems without leases answer, and what those get who do not own the file."""


@contextmanager
def nobody_writes(path: str, descriptor: int) -> Iterator[bool]:
    """Hold a read lease: whoever wants to open the file for writing waits until the end.

    Gives False where there are no leases. Raises Refused if somebody keeps the file open for writing.
    """
    held = _leased(path, descriptor)
    try:
        yield held
    finally:
        if held:
            with suppress(OSError):  # the end of the process, or of the descriptor, gives it up too
                fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)


def _leased(path: str, descriptor: int) -> bool:
    # the default signal of a broken lease would end this process; this one is ignored by default
    fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
    deadline = time.monotonic() + WRITERS_MAY_TAKE
    while True:
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as error:
            if error.errno in NO_LEASES:
                return False
            if error.errno != errno.EAGAIN:
                raise
            if time.monotonic() > deadline:
                raise refused(
                    "{path}: another program has it open for writing; find it with: fuser -v {path}",
                    "{path}：另一个程序正以写方式打开它；可用 fuser -v {path} 找出",
                    path=path,
                ) from error
            time.sleep(PAUSE)
        else:
            return True


def swap(place: Place, temporary: str, new: bytes, old: Content, keep: Keep) -> None:
    """Exchange the finished temporary file with the old one, then remove the old one.

    Raises Refused if the old one is no longer as it was read: then it is in its place again. Where names
    cannot be exchanged (some network file systems) it is compared right before a plain rename.
    """
    with nobody_writes(place.path, old.descriptor) as leased:
        if not _still(place, place.name, old):
            raise changed(place.path)
        try:
            exchange(place.directory, temporary, place.name)
        except Unsupported:
            os.rename(temporary, place.name, src_dir_fd=place.directory, dst_dir_fd=place.directory)
            place.sync()
            return
        _finish(place, temporary, new, old, keep, leased)


def _finish(place: Place, temporary: str, new: bytes, old: Content, keep: Keep, leased: bool) -> None:
    """Look at what came out of the exchange, make it durable and remove it; else exchange back."""
    try:
        if not _still(place, temporary, old) or _wanted_by_writer(leased, old.descriptor):
            raise changed(place.path)
        place.sync()
        if _wanted_by_writer(leased, old.descriptor):
            raise changed(place.path)
        os.unlink(temporary, dir_fd=place.directory)
    except BaseException:
        _back(place, temporary, new, keep)
        raise


def take_out(place: Place, temporary: str, old: Content) -> None:
    """Rename the file away, look whether it still is the one that was read, and remove it.

    Raises Refused if it is not; then it is in its place again.
    """
    with nobody_writes(place.path, old.descriptor) as leased:
        without_overwriting(place.directory, place.name, temporary)
        try:
            if not _still(place, temporary, old) or _wanted_by_writer(leased, old.descriptor):
                raise changed(place.path)
            place.sync()
            os.unlink(temporary, dir_fd=place.directory)
        except BaseException:
            without_overwriting(place.directory, temporary, place.name)
            raise


def _still(place: Place, name: str, old: Content) -> bool:
    now = place.stat(name)
    seen = old.status
    if now is None or (now.st_dev, now.st_ino, now.st_size) != (seen.st_dev, seen.st_ino, seen.st_size):
        return False
    attributes = (now.st_mode, now.st_uid, now.st_gid, now.st_mtime_ns)
    if attributes != (seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns):
        return False
    # two writes within one tick of the clock have the same time
    return whole(place, old.descriptor) == old.data


def _wanted_by_writer(leased: bool, descriptor: int) -> bool:
    return leased and fcntl.fcntl(descriptor, fcntl.F_GETLEASE) != fcntl.F_RDLCK


def _back(place: Place, temporary: str, new: bytes, keep: Keep) -> None:
    """Put the other program's file back. What somebody wrote into ours in that moment is kept."""
    exchange(place.directory, temporary, place.name)
    descriptor = os.open(temporary, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.directory)
    try:
        ours = whole(place, descriptor)
    finally:
        closed(descriptor)
    if ours != new:
        keep.put(ours)
    os.unlink(temporary, dir_fd=place.directory)
    place.sync()
