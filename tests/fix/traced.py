"""Stop a child before one of its system calls: kill it there, or let the call fail (Linux: ptrace).

The child is a fork, so it starts in a moment; what it imports is there already.
"""

import ctypes
import errno
import os
import platform
import signal
from collections.abc import Callable

TRACEME, POKEUSER, SYSCALL, SETOPTIONS, GET_SYSCALL_INFO = 0, 6, 24, 0x4200, 0x420E
SYSGOOD_EXITKILL = 1 | 0x100000
ENTRY, EXIT = 1, 2

TABLE = {
    "x86_64": """
        1 write 3 close 16 ioctl 17 pread64 18 pwrite64 72 fcntl 73 flock 74 fsync 82 rename 83 mkdir 84
        rmdir 86 link 87 unlink 90 chmod 91 fchmod 92 chown 93 fchown 188 setxattr 190 fsetxattr 197
        removexattr 199 fremovexattr 257 openat 258 mkdirat 260 fchownat 263 unlinkat 264 renameat 265
        linkat 268 fchmodat 316 renameat2
    """,
    "aarch64": """
        5 setxattr 7 fsetxattr 14 removexattr 16 fremovexattr 25 fcntl 29 ioctl 32 flock 34 mkdirat 35
        unlinkat 37 linkat 38 renameat 52 fchmod 53 fchmodat 54 fchownat 55 fchown 56 openat 57 close 64
        write 67 pread64 68 pwrite64 82 fsync 276 renameat2
    """,
}
"""Numbers and names, from the kernel's tables."""
_words = TABLE.get(platform.machine(), "").split()
NUMBERS = {int(number): name for number, name in zip(_words[::2], _words[1::2], strict=True)}
"""Every system call that touches a file or a name."""

READING = frozenset({"ioctl", "pread64", "fcntl", "flock", "close", "openat"})
CHANGING = frozenset({*NUMBERS.values(), "create"}) - READING
"""What a kill can come between: before one that only reads it finds the same as before the next."""
EVERY = CHANGING | READING
"""``create`` is an openat that may make a file."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


class Info(ctypes.Structure):
    """struct ptrace_syscall_info; the union begins with the number of the call."""

    _fields_ = (
        ("op", ctypes.c_uint8),
        ("pad", ctypes.c_uint8 * 3),
        ("arch", ctypes.c_uint32),
        ("instruction_pointer", ctypes.c_uint64),
        ("stack_pointer", ctypes.c_uint64),
        ("number", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 6),
        ("more", ctypes.c_uint64 * 4),
    )


def _ptrace(request: int, pid: int, address: int = 0, data: object = 0) -> int:
    done = int(_libc.ptrace(request, pid, address, data))
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return done


class Stopped:
    """What a traced child did."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        """The system calls of the wanted kinds, in order, up to the stop."""
        self.code: int | None = None
        """How it ended by itself; None if it was killed."""


def traced(
    work: Callable[[], None],
    kinds: frozenset[str] = CHANGING,
    kill: int = -1,
    fail: int = -1,
    error: int = errno.EIO,
) -> Stopped:
    """Run ``work`` in a child; kill it before call number ``kill``, or let call number ``fail`` fail.

    Calls of ``kinds`` are counted from 0. The child ends with 0, or with 1 if ``work`` raised.
    """
    pid = os.fork()
    if not pid:
        _child(work)
    os.waitpid(pid, 0)
    _ptrace(SETOPTIONS, pid, 0, SYSGOOD_EXITKILL)
    seen, failing = Stopped(), False
    deliver = 0
    while True:
        _ptrace(SYSCALL, pid, 0, deliver)
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            seen.code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
            return seen
        deliver = 0
        if os.WSTOPSIG(status) != signal.SIGTRAP | 0x80:
            deliver = os.WSTOPSIG(status)
            continue
        info = Info()
        _ptrace(GET_SYSCALL_INFO, pid, ctypes.sizeof(info), ctypes.byref(info))
        if info.op == ENTRY and (name := _name(info)) in kinds:
            number = len(seen.calls)
            seen.calls.append(name)
            if number == kill:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return seen
            if number == fail:
                failing = True
                _poke(pid, "number", -1)
        elif info.op == EXIT and failing:
            failing = False
            _poke(pid, "result", -error)


def _name(info: Info) -> str:
    name = NUMBERS.get(info.number, "")
    return "create" if name == "openat" and info.arguments[2] & os.O_CREAT else name


def _poke(pid: int, register: str, value: int) -> None:
    """Change the number of a call before it, or its result behind it (x86_64: orig_rax, rax)."""
    offset = {"number": 15, "result": 10}[register] * 8
    _ptrace(POKEUSER, pid, offset, value & (2**64 - 1))


def _child(work: Callable[[], None]) -> None:
    code = 1
    try:
        _ptrace(TRACEME, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        work()
        code = 0
    finally:
        os._exit(code)
