"""A copy of the few files that the static reader needs, out of a container in which nothing runs.

The engine hands them out as an archive, whatever its storage driver and whoever asks. Of libraries only
the beginning is kept; the rest of the file is a hole of the right size.
"""

import io
import os
import platform
import posixpath
import re
import select
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from msgspec import Struct

from codeblue.transport.starting import started

MULTIARCH = f"/usr/lib/{platform.machine()}-linux-gnu"
SMALL = (
    "/etc/os-release",
    "/etc/ld.so.cache",
    "/usr/local/nvidia",
    "/usr/local/cuda/compat",
)
LARGE = (MULTIARCH, "/usr/lib64")
"""Folders that may hold gigabytes: fetched last."""

UNMERGED = {MULTIARCH: f"/lib/{platform.machine()}-linux-gnu", "/usr/lib64": "/lib64"}
"""The C library lies in these folders where /lib is no link to /usr/lib."""

WHOLE = re.compile(r"/(?:os-release|ld\.so\.cache)$")
LIBRARY = re.compile(r"/lib[^/]*\.so[^/]*$")
DRIVER = re.compile(r"/lib(?:cuda|nvidia-(?:ml|ptxjitcompiler|nvvm))\.so[.\d]*$")
NOT_THERE = re.compile(r"ould not (?:find|be found)|[Nn]o such file|[Nn]ot a directory")
LATE = "the time was over"
HEAD = 1 << 16
"""Bytes kept of a library: its headers."""
LARGEST_WHOLE = 8 << 20
LARGEST_STREAM = 2 << 30
"""Bytes that the engine may send in all."""
CHUNK = 1 << 20
MOST_ASKED = 60
"""Paths that the engine is asked for, so that links cannot keep us busy."""
MOST_ENTRIES = 100_000
SETTLE = 0.2
"""Seconds for the engine's command to go away."""


class Copied(Struct, frozen=True):
    """What was copied."""

    folder: str
    """Stands for the root of the container."""
    incomplete: str | None
    """Why something is missing, None if all is there."""


class Cut(Exception):
    """The copy had to be ended before it was whole. ``str()`` says why."""


def copy(engine: str, name: str, environment: dict[str, str], seconds: float) -> Copied:
    """Copy what is needed within the time. The caller removes the folder."""
    copying = _Copying([engine, "cp"], name, time.monotonic() + seconds)
    try:
        copying.everything(environment.get("LD_LIBRARY_PATH", ""))
    except Cut as why:
        return Copied(copying.folder, str(why))
    except BaseException:
        shutil.rmtree(copying.folder, ignore_errors=True)
        raise
    return Copied(copying.folder, None)


class _Copying:
    def __init__(self, command: Sequence[str], name: str, deadline: float) -> None:
        self.command, self.name, self.deadline = command, name, deadline
        self.folder = tempfile.mkdtemp(prefix="codeblue-copy-")
        self.asked: set[str] = set()
        self.followed: set[str] = set()
        self.folders = {""}
        self.entries: dict[str, str | None] = {}
        """Path -> where a link points, None for a file."""
        self.size = 0

    def everything(self, search: str) -> None:
        """Fetch in this order: what is small, what the loader asks first, the large folders, link targets."""
        for path in SMALL:
            self.fetch(path)
        for place in [part.rstrip("/") for part in search.split(":") if part.startswith("/")][:8]:
            self.fetch(f"{place}/libcuda.so.1")
            self.fetch(f"{place}/libnvidia-ml.so.1")
        for path in LARGE:
            self.fetch(path)
            if path in self.folders and f"{path}/libc.so.6" not in self.entries:
                self.fetch(UNMERGED[path])
        self._merged()
        self._behind_links()

    def fetch(self, path: str, folders: bool = True) -> None:
        """Take one path, with all below it if ``folders``; that it does not exist is no failure."""
        path = posixpath.normpath(path)
        if path in self.asked or path in self.entries or path in self.folders:
            return
        self.asked.add(path)
        with _stream([*self.command, f"{self.name}:{path}", "-"], self.deadline) as stream:
            archive = _opened(stream)
            for member in archive or ():
                if archive is None or (member.isdir() and not folders):
                    break
                self._count(member)
                self._take(posixpath.join(posixpath.dirname(path), member.name), member, archive)
        leads_to = self.entries.get(path)
        if leads_to and len(self.asked) < MOST_ASKED:
            self.fetch(posixpath.join(posixpath.dirname(path), leads_to), folders)

    def _count(self, member: tarfile.TarInfo) -> None:
        self.size += member.size
        if self.size > LARGEST_STREAM or len(self.entries) + len(self.folders) > MOST_ENTRIES:
            raise Cut(f"more than {LARGEST_STREAM >> 30} GiB")

    def _take(self, path: str, member: tarfile.TarInfo, archive: tarfile.TarFile) -> None:
        path = posixpath.normpath(path)
        if not path.startswith("/") or path in self.entries or path in self.folders:
            return
        if member.isdir():
            self._parents(f"{path}/x")
        elif member.issym() and self._parents(path):
            os.symlink(member.linkname, self.folder + path)
            self.entries[path] = member.linkname
        elif (member.isfile() or member.islnk()) and (WHOLE.search(path) or LIBRARY.search(path)):
            self._file(path, member, archive)

    def _file(self, path: str, member: tarfile.TarInfo, archive: tarfile.TarFile) -> None:
        if not self._parents(path):
            return
        if member.islnk():  # a second name of a file that came before
            first = posixpath.join(self._top(path, member), member.linkname)
            if self.entries.get(first, "") is None:
                os.link(self.folder + first, self.folder + path)
                self.entries[path] = None
            return
        content = archive.extractfile(member)
        assert content is not None
        with open(self.folder + path, "xb") as stream:
            stream.write(content.read(LARGEST_WHOLE if WHOLE.search(path) else HEAD))
            stream.truncate(member.size)
        self.entries[path] = None

    @staticmethod
    def _top(path: str, member: tarfile.TarInfo) -> str:
        return path[: len(path) - len(posixpath.normpath(member.name))]

    def _parents(self, path: str) -> bool:
        """Make the folders above a path; False if one of them is something else in the copy."""
        parts = path.split("/")[1:-1]
        above = ""
        for part in parts:
            above += f"/{part}"
            if above in self.entries:
                return False  # never through a link: it may lead out of the copy
            if above not in self.folders:
                os.mkdir(self.folder + above)
                self.folders.add(above)
        return True

    def _merged(self) -> None:
        """Let /lib and /lib64 lead to /usr where the C library lies there: the loader's cache says /lib."""
        for path in LARGE:
            if f"{path}/libc.so.6" in self.entries:
                top = "/lib64" if path == "/usr/lib64" else "/lib"
                if top not in self.folders and top not in self.entries:
                    os.symlink(f"usr{top}", self.folder + top)
                    self.entries[top] = f"usr{top}"

    def _behind_links(self) -> None:
        """Fetch what the links of the driver's libraries lead to: else they would look broken."""
        for path in [path for path in self.entries if DRIVER.search(path)]:
            while (leads_to := self.entries.get(path)) and len(self.asked) < MOST_ASKED:
                path = posixpath.normpath(posixpath.join(posixpath.dirname(path), leads_to))
                if path in self.asked or path in self.followed:
                    break
                self.followed.add(path)
                self.fetch(path, folders=False)


@contextmanager
def _stream(command: Sequence[str], deadline: float) -> "Iterator[_Pipe]":
    """Run the engine's command; what it sends must be whole, or say that there is no such path."""
    if time.monotonic() >= deadline:
        raise Cut(LATE)
    errors = os.memfd_create("copy-errors")
    child = started(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
    )
    assert child.stdout is not None
    pipe = _Pipe(child.stdout.fileno(), deadline)
    try:
        yield pipe
        while pipe.read(CHUNK):  # the archive is padded
            pass
        code = child.wait(max(SETTLE, deadline - time.monotonic()))
        words = os.pread(errors, 1 << 16, 0).decode("utf-8", "replace").strip()
        if code != 0 and not NOT_THERE.search(words):
            raise Cut(words[-200:])
    except subprocess.TimeoutExpired:
        raise Cut(LATE) from None
    except (tarfile.TarError, EOFError, OSError) as error:
        raise Cut(str(error)) from None
    finally:
        _leave(child)
        child.stdout.close()
        os.close(errors)


class _Pipe(io.BufferedIOBase):
    """What the engine sends. Neither a slow engine nor one in state D is waited for beyond the deadline."""

    def __init__(self, number: int, deadline: float) -> None:
        self.number, self.deadline = number, deadline

    def read(self, size: int | None = CHUNK, /) -> bytes:
        """Return what has come, at most ``size`` bytes, nothing at the end. Raises Cut."""
        left = self.deadline - time.monotonic()
        if left <= 0 or not select.select([self.number], [], [], left)[0]:
            raise Cut(LATE)
        return os.read(self.number, size or CHUNK)


def _opened(pipe: _Pipe) -> tarfile.TarFile | None:
    try:
        return tarfile.open(fileobj=pipe, mode="r|", bufsize=CHUNK)
    except tarfile.ReadError:  # nothing came: there is no such path
        return None


def _leave(child: "subprocess.Popen[bytes]") -> None:
    """Kill the engine's command and what it has started; what cannot be killed is left behind."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(SETTLE)
