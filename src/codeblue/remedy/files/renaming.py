"""Rename without overwriting, and exchange of two names (Linux: renameat2)."""

import ctypes
import errno
import os
import platform

NOREPLACE = 1
EXCHANGE = 2
NUMBERS = {"x86_64": 316, "aarch64": 276, "ppc64le": 357, "riscv64": 276, "s390x": 347}
"""The system call's number, for C libraries without the function."""
WITHOUT = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP})
"""What kernels and file systems answer that cannot do it."""

_libc = ctypes.CDLL(None, use_errno=True)


class Unsupported(Exception):
    """The kernel or the file system cannot do it."""


def _rename(directory: int, old: str, to: int, new: str, flags: int) -> None:
    words = (directory, os.fsencode(old), to, os.fsencode(new), flags)
    if hasattr(_libc, "renameat2"):
        failed = _libc.renameat2(*words)
    elif (number := NUMBERS.get(platform.machine())) is not None:
        failed = _libc.syscall(number, *words)
    else:
        raise Unsupported
    if failed:
        code = ctypes.get_errno()
        if code in WITHOUT:
            raise Unsupported
        raise OSError(code, os.strerror(code), new)


def exchange(directory: int, one: str, other: str) -> None:
    """Let two names of one directory swap what they name, in one moment. Raises Unsupported or OSError."""
    _rename(directory, one, directory, other, EXCHANGE)


def without_overwriting(directory: int, old: str, new: str) -> None:
    """Rename within a directory, never over something. Raises FileExistsError or OSError.

    A file system without renameat2 gets a hard link and the removal of the old name: for files that does
    not overwrite either; a directory cannot be linked, and is refused there.
    """
    try:
        _rename(directory, old, directory, new, NOREPLACE)
    except Unsupported:
        os.link(old, new, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
        os.unlink(old, dir_fd=directory)
