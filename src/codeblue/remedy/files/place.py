"""A file's place: its real path, and its directory held open so that nobody can swap it."""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from msgspec import Struct

from codeblue import patience
from codeblue.remedy.files import attributes
from codeblue.remedy.files.refusals import changed, not_regular, refused, refusing

LARGEST = 8 << 20
"""Bytes. A larger file is not a configuration."""
ESCAPED = re.compile(rb"\\([0-7]{3})")


class Place(Struct, frozen=True):
    """A name in an open directory."""

    path: str
    """As it is shown: symbolic links resolved."""
    directory: int
    """Descriptor."""
    name: str
    largest: int = LARGEST
    """Bytes that are read of a file here."""

    def temporary(self, name: str) -> str:
        """Return the name beside it that a step may use."""
        return beside(self.name, name)

    def stat(self, name: str | None = None) -> os.stat_result | None:
        """Return what the name, or another name in the same directory, is; None if nothing."""
        try:
            return os.stat(name or self.name, dir_fd=self.directory, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def sync(self) -> None:
        """Make the names in the directory durable."""
        os.fsync(self.directory)


class Content(Struct, frozen=True):
    """A regular file that is open for reading."""

    descriptor: int
    status: os.stat_result
    data: bytes
    extended: dict[str, bytes]

    @property
    def digest(self) -> str:
        """SHA-256, hexadecimal."""
        return digest(self.data)

    @property
    def mode(self) -> int:
        """Permission bits."""
        return stat.S_IMODE(self.status.st_mode)


def digest(data: bytes) -> str:
    """Return the SHA-256, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def beside(target: str, name: str) -> str:
    """Return the name of a temporary file for a target's last part, within the 255 bytes of a name."""
    room = 255 - len(os.fsencode(name)) - 2
    return f".{os.fsdecode(os.fsencode(target)[:room])}.{name}"


def real(path: str) -> str:
    """Return the path with its symbolic links resolved; the last part may be missing.

    Raises Refused if its file system does not answer: nothing may wait for a dead file server.
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        raise refused(
            "{path}: its name is not UTF-8; change it by hand",
            "{path}：文件名不是 UTF-8；请手动修改",
            path=path.encode("utf-8", "replace").decode(),
        ) from None
    if "\0" in path:
        raise refused("{path}: this is no path", "{path}：这不是路径", path=repr(path))
    path = os.path.abspath(os.path.expanduser(path))
    if not patience.answers(path):
        raise refused(
            "{path}: its file system does not answer; see that its server runs (mount, df)",
            "{path}：其文件系统没有响应；请检查其服务器是否在运行（mount、df）",
            path=path,
        )
    return os.path.realpath(path)


@contextmanager
def placed(path: str, largest: int = LARGEST) -> Iterator[Place]:
    """Hold the directory of a resolved path open. Raises Refused if it has moved, or OSError."""
    folder, name = os.path.split(path)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.readlink(f"/proc/self/fd/{descriptor}") != folder:
            raise changed(path)  # a symbolic link was put into the path since it was resolved
        yield Place(path, descriptor, name, largest)
    finally:
        closed(descriptor)


@contextmanager
def opened(place: Place) -> Iterator[Content]:
    """Open and read a file that may be replaced. Raises Refused for everything else, or OSError."""
    held = os.open(place.name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.directory)
    try:
        status = os.fstat(held)
        refuse_kind(place.path, status)  # before it is opened: to open a device may do something
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
        descriptor = os.open(f"/proc/self/fd/{held}", flags)
    except OSError as error:
        raise OSError(error.errno or 0, error.strerror or "", place.path) from error
    finally:
        closed(held)
    try:
        yield _read(place, descriptor, status)
    finally:
        closed(descriptor)


def closed(descriptor: int) -> None:
    """Close a descriptor; what was written was synced before, so that an error then says nothing new."""
    with suppress(OSError):
        os.close(descriptor)


def _read(place: Place, descriptor: int, status: os.stat_result) -> Content:
    if status.st_nlink > 1:
        raise refused(
            "{path}: it has {count} names (hard links); change them by hand, or copy it to a file of its own",
            "{path}：它有 {count} 个名字（硬链接）；请手动修改，或先复制为独立的文件",
            path=place.path,
            count=status.st_nlink,
        )
    refuse_mounted(place.path)
    refuse_read_only(place.path, descriptor)
    attributes.refuse_locked(place.path, descriptor)
    attributes.refuse_locked(os.path.dirname(place.path), place.directory)
    extended = attributes.extended(descriptor)
    attributes.refuse_signed(place.path, extended)
    return Content(descriptor, status, whole(place, descriptor), extended)


def whole(place: Place, descriptor: int) -> bytes:
    """Return the content from the start, read by descriptor. Raises Refused if it is too large."""
    parts: list[bytes] = []
    at = 0
    while part := os.pread(descriptor, 1 << 20, at):
        parts.append(part)
        at += len(part)
        if at > place.largest:
            raise refused(
                "{path}: it is larger than {size} MiB, which no configuration is",
                "{path}：大于 {size} MiB，不是配置文件",
                path=place.path,
                size=place.largest >> 20,
            )
    return b"".join(parts)


def refuse_kind(path: str, status: os.stat_result) -> None:
    """Raise Refused if it is not a regular file."""
    kinds = (
        (stat.S_ISDIR, "directory"),
        (stat.S_ISFIFO, "fifo"),
        (stat.S_ISSOCK, "socket"),
        (stat.S_ISLNK, "link"),
        (stat.S_ISCHR, "node"),
        (stat.S_ISBLK, "node"),
    )
    for fits, kind in kinds:
        if fits(status.st_mode):
            raise not_regular(path, kind)


def refuse_mounted(path: str) -> None:
    """Raise Refused if something is mounted on the path: a rename over it would fail (EBUSY)."""
    wanted = os.fsencode(path)
    with open("/proc/self/mountinfo", "rb") as rows:
        points = (row.split(b" ", 5)[4] for row in rows)
        mounted = any(_unescaped(point) == wanted for point in points)
    if mounted:
        raise refused(
            "{path}: it is mounted from elsewhere (bind mount); change its source outside of this container",
            "{path}：它是从别处绑定挂载进来的；请在容器外修改其来源",
            path=path,
        )


def _unescaped(point: bytes) -> bytes:
    return ESCAPED.sub(lambda found: bytes([int(found.group(1), 8)]), point)


def refuse_read_only(path: str, descriptor: int) -> None:
    """Raise Refused if the file system cannot be written."""
    with refusing(path):
        if os.fstatvfs(descriptor).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
