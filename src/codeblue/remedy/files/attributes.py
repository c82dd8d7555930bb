"""What a file carries besides its content: owner, mode, flags, extended attributes (SELinux, ACL, …)."""

import array
import errno
import fcntl
import os
import stat

from codeblue.remedy.files.refusals import because, refused

GETFLAGS = 0x80086601 if array.array("l").itemsize == 8 else 0x80046601
"""Linux: FS_IOC_GETFLAGS."""
IMMUTABLE = 0x10
APPEND_ONLY = 0x20

SIGNED = frozenset({"security.ima", "security.evm"})
"""Signatures over the content: a changed file cannot keep them."""
NONE = frozenset({errno.ENOTSUP, errno.EPERM, errno.EACCES})


def flags(descriptor: int) -> int:
    """Return the file system's own flags of a file (chattr), 0 where there are none."""
    room = array.array("l", [0])
    try:
        fcntl.ioctl(descriptor, GETFLAGS, room)
    except OSError:
        return 0
    return room[0]


def refuse_locked(path: str, descriptor: int) -> None:
    """Raise Refused if the file, or the directory, is immutable or may only grow."""
    found = flags(descriptor)
    if found & (IMMUTABLE | APPEND_ONLY):
        letter = "i" if found & IMMUTABLE else "a"
        raise refused(
            "{path}: somebody has locked it against changes; ask why, then: chattr -{letter} {path}",
            "{path}：已被人为锁定，禁止修改；请先弄清原因，再执行 chattr -{letter} {path}",
            path=path,
            letter=letter,
        )


def extended(descriptor: int) -> dict[str, bytes]:
    """Return all extended attributes; empty where the file system has none."""
    try:
        return {name: os.getxattr(descriptor, name) for name in os.listxattr(descriptor)}
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return {}
        raise


def refuse_signed(path: str, found: dict[str, bytes]) -> None:
    """Raise Refused if a signature protects the content."""
    if signed := SIGNED & found.keys():
        raise refused(
            "{path}: its content is signed ({name}); change it the way this system is managed",
            "{path}：其内容带有签名（{name}）；请按本系统的管理方式修改",
            path=path,
            name=min(signed),
        )


def dress(descriptor: int, path: str, like: os.stat_result, mode: int, wanted: dict[str, bytes]) -> None:
    """Give a new file the owner, the mode and the attributes of the one it replaces. Raises Refused.

    Owner first (it clears capabilities and set-user-id), then the mode, then the attributes: an ACL holds the
    group's rights.
    """
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(descriptor, like.st_uid, like.st_gid)
        except PermissionError as error:
            raise because(path, error) from error
    os.fchmod(descriptor, mode)
    has = extended(descriptor)
    for name in has.keys() - wanted.keys():
        os.removexattr(descriptor, name)
    for name, value in wanted.items():
        if has.get(name) != value:
            _set(descriptor, path, name, value)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
        os.fchmod(descriptor, mode)  # an inherited ACL had narrowed it


def _set(descriptor: int, path: str, name: str, value: bytes) -> None:
    try:
        os.setxattr(descriptor, name, value)
    except OSError as error:
        if error.errno not in NONE:
            raise
        raise refused(
            "{path}: its attribute {name} cannot be kept by this user; run with sudo",
            "{path}：当前用户无法保留其扩展属性 {name}；请用 sudo 运行",
            path=path,
            name=name,
        ) from error
