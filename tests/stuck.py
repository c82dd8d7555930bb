"""A file system that takes every request and never answers, in a mount namespace of its own.

A request that the server has taken cannot be given up: a process that is killed while it waits
stays in state D, as on a dead NFS server.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_fuse = pytest.mark.skipif(
    os.getuid() != 0 or not os.path.exists("/dev/fuse") or shutil.which("nsenter") is None,
    reason="a stuck file system needs root, /dev/fuse and nsenter",
)

SERVER = """\
import ctypes, errno, os, struct, sys
INIT, ACCESS, IN, OUT = 26, 34, struct.Struct("=IIQQIIIHH"), struct.Struct("=IiQ")
fuse = os.open("/dev/fuse", os.O_RDWR)
for point in sys.argv[1:2]:
    options = "fd=%d,rootmode=40755,user_id=0,group_id=0,allow_other" % fuse
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"stuck", point.encode(), b"fuse", 0, options.encode()) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
def answer(unique, error=0, body=b""):
    os.write(fuse, OUT.pack(OUT.size + len(body), -error, unique) + body)
print("mounted", flush=True)
while True:
    request = os.read(fuse, 1 << 18)
    size, operation, unique = IN.unpack_from(request)[:3]
    if operation == INIT:
        answer(unique, body=struct.pack("=IIIIHHIIHHI7I", 7, 31, 0, 0, 12, 9, 4096, 1, 1, 0, 0, *[0] * 7))
    elif operation == ACCESS:
        answer(unique, errno.ENOSYS)  # from now on a process may have its working directory here
"""


class Stuck:
    """A mounted stuck file system and the way into the namespace that has it."""

    def __init__(self, server: "subprocess.Popen[str]") -> None:
        self._server = server

    def inside(self, argv: Sequence[str]) -> list[str]:
        """Return the argv that runs a command where the file system is mounted."""
        return ["nsenter", f"--mount=/proc/{self._server.pid}/ns/mnt", *argv]

    def waiting(self) -> list[int]:
        """Return the processes of the namespace in state D."""
        return [pid for pid in self._members() if _state(pid) == "D"]

    def members(self) -> list[int]:
        """Return the processes of the namespace without the server."""
        return [pid for pid in self._members() if pid != self._server.pid]

    def _members(self) -> list[int]:
        own = os.readlink(f"/proc/{self._server.pid}/ns/mnt")
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and _namespace(name) == own]

    def end(self) -> None:
        """Let everything go that waits."""
        for pid in self.members():
            os.kill(pid, signal.SIGKILL)
        self._server.kill()
        self._server.wait()
        assert self._server.stdout is not None
        self._server.stdout.close()


@contextmanager
def stuck(point: Path) -> Iterator[Stuck]:
    """Mount it on a folder; the folder is as before for everybody else, and afterwards."""
    server = subprocess.Popen(
        ["unshare", "--mount", sys.executable, "-I", "-S", "-c", SERVER, str(point)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stdout.readline() == "mounted\n"
    mounted = Stuck(server)
    try:
        yield mounted
    finally:
        mounted.end()


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _namespace(pid: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/mnt")
    except OSError:  # it has ended, or is a zombie
        return ""
