"""Mode and owner of one thing, changed in place if it still is what the preview saw."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from codeblue.model.text import Message, message
from codeblue.remedy.files.locks import locked
from codeblue.remedy.files.place import closed, placed
from codeblue.remedy.files.refusals import changed, refused, refusing

SETS_ID = stat.S_ISUID | stat.S_ISGID


class Seen(Struct, frozen=True):
    """Which thing it is, and who may do what with it."""

    identity: str
    """Device, inode, kind and, of a node, what it leads to."""
    mode: int
    """Permission bits."""
    uid: int
    gid: int
    kind: int
    """As ``stat.S_IFMT`` gives it."""


def seen(path: str) -> Seen:
    """Return what a resolved path is. Raises Refused if nothing is there."""
    with _held(path) as descriptor:
        return _seen(descriptor)


def _seen(descriptor: int) -> Seen:
    now = os.fstat(descriptor)
    kind = stat.S_IFMT(now.st_mode)
    identity = ":".join(str(part) for part in (now.st_dev, now.st_ino, kind, now.st_rdev))
    return Seen(identity, stat.S_IMODE(now.st_mode), now.st_uid, now.st_gid, kind)


@contextmanager
def _held(path: str) -> Iterator[int]:
    """Hold the thing itself without opening it: to open a device may do something."""
    with refusing(path), placed(path) as place:
        descriptor = os.open(
            place.name or ".", os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.directory
        )
        try:
            yield descriptor
        finally:
            closed(descriptor)


def _itself(descriptor: int) -> str:
    return f"/proc/self/fd/{descriptor}"


def set_mode(path: str, before: Seen, mode: int) -> None:
    """Change the permission bits. Raises Refused; then nothing is changed."""
    with refusing(path), locked(path), _held(path) as descriptor:
        if _seen(descriptor) != before:
            raise changed(path)
        try:
            os.chmod(_itself(descriptor), mode)
        except OSError as error:
            raise _named(error, path) from error
        try:
            _durable(descriptor, before.kind)
        except OSError:
            os.chmod(_itself(descriptor), before.mode)
            raise


def set_owner(path: str, before: Seen, uid: int, gid: int) -> None:
    """Change user and group. Raises Refused; then nothing is changed."""
    with refusing(path), locked(path), _held(path) as descriptor:
        if _seen(descriptor) != before:
            raise changed(path)
        _refuse_powerful(path, descriptor, before)
        try:
            os.chown(_itself(descriptor), uid, gid)
        except OSError as error:
            raise _named(error, path) from error
        try:
            _durable(descriptor, before.kind)
        except OSError:
            os.chown(_itself(descriptor), before.uid, before.gid)
            raise


def _named(error: OSError, path: str) -> OSError:
    return OSError(error.errno or 0, error.strerror or "", path)


def _refuse_powerful(path: str, descriptor: int, before: Seen) -> None:
    """The kernel takes these rights away with a new owner; to give them to another one is no repair."""
    if before.kind != stat.S_IFREG:
        return
    with refusing(path):
        capable = "security.capability" in os.listxattr(_itself(descriptor))
    if capable or before.mode & SETS_ID:
        raise refused(
            "{path}: it runs with the rights of its owner (set-id or capabilities); change its owner by hand",
            "{path}：它以其属主的权限运行（set-id 或 capabilities）；请手动更改属主",
            path=path,
        )


def _durable(descriptor: int, kind: int) -> None:
    if kind not in (stat.S_IFREG, stat.S_IFDIR):
        return
    try:
        readable = os.open(_itself(descriptor), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError:
        return  # its new mode shuts its owner out; the kernel writes it to the disk in its own time
    try:
        os.fsync(readable)
    finally:
        closed(readable)


def changing_mode(old: int, new: int, path: str) -> Message:
    """Return the change of permission bits as a line."""
    return message(
        "mode {old} -> {new} {path}",
        "权限 {old} -> {new} {path}",
        old=f"{old:04o}",
        new=f"{new:04o}",
        path=path,
    )


def stated(seen: Seen) -> dict[str, str]:
    """Return it as a plan keeps it."""
    return {"identity": seen.identity, "mode": f"{seen.mode:04o}", "uid": str(seen.uid), "gid": str(seen.gid)}


def kept(before: dict[str, str]) -> Seen:
    """Read back what a plan keeps. Raises Refused if the plan is damaged."""
    try:
        identity = before["identity"]
        mode, uid, gid = int(before["mode"], 8), int(before["uid"]), int(before["gid"])
        return Seen(identity, mode, uid, gid, int(identity.split(":")[2]))
    except (KeyError, ValueError, IndexError) as error:
        raise refused(
            "the plan does not say what was seen; make a new plan",
            "计划中缺少当时看到的状态；请重新生成计划",
        ) from error
