"""Run the probe's text over an argv prefix: here, inside a container, under another root."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from selectors import EVENT_READ, DefaultSelector

from msgspec import Struct

from codeblue.transport import complaints
from codeblue.transport.starting import started

INTERPRETER_FLAGS = ("-I", "-S", "-B", "-")
GRACE = 5.0
"""Seconds beyond the probe's own budget before it is stopped."""

TIDY = 1.0
"""Seconds in which a probe that was told to stop ends what it has started."""

LAST_CALL = 2.0
"""Seconds for reading an answer when the time is over."""

LARGEST = 64 << 20
"""Bytes of one line of an answer; more is no answer of ours."""


_at_work: dict[int, "Running"] = {}
"""Probes that have not been ended yet. Whatever ends the program ends them."""


class Running(Struct, frozen=True):
    """A probe at work."""

    child: "subprocess.Popen[bytes]"
    errors: int
    """File descriptor of a memory file that takes its standard error."""
    copy: str | None = None
    """Folder with the copied files that it reads; removed at the end."""


def start(
    program: str, cwd: str | None = None, interpreter: tuple[str, ...] = (), copy: str | None = None
) -> Running:
    """Start an isolated interpreter in a process group of its own and hand it the program.

    ``interpreter`` is the argv prefix over which ``-`` runs; default is our own. ``copy`` is a folder
    that is removed when the probe is ended.
    """
    errors = os.memfd_create("probe-errors")
    # Not a pipe: an interpreter that hangs before it reads would keep us writing.
    with open(os.memfd_create("probe"), "w+b") as text:
        text.write(program.encode())
        text.seek(0)
        child = started(
            [*(interpreter or (sys.executable,)), *INTERPRETER_FLAGS],
            stdin=text,
            stdout=subprocess.PIPE,
            stderr=errors,
            # To enter the folder in which we are already may take an answer of its file system.
            cwd=None if cwd == os.getcwd() else cwd,
            start_new_session=True,
        )
    running = Running(child, errors, copy)
    _at_work[child.pid] = running
    return running


def answers(running: Running, marker: str, deadline: float) -> Iterator[bytes]:
    """Yield what stands behind ``marker`` on each line, as it comes, until the monotonic ``deadline``."""
    stream = running.child.stdout
    assert stream is not None
    mark, buffer = marker.encode(), b""
    # Another probe may have taken all the time: what this one has said meanwhile is still to be read.
    last = max(deadline + GRACE, time.monotonic() + LAST_CALL)
    with DefaultSelector() as selector:
        selector.register(stream, EVENT_READ)
        while (left := last - time.monotonic()) > 0 and len(buffer) < LARGEST and selector.select(left):
            chunk = os.read(stream.fileno(), 1 << 16)
            if not chunk:
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            yield from (line[len(mark) :] for line in lines if line.startswith(mark))


def spoken(running: Running, seconds: float) -> None:
    """Wait until the probe has said something, or ended."""
    assert running.child.stdout is not None
    with DefaultSelector() as selector:
        selector.register(running.child.stdout, EVENT_READ)
        selector.select(seconds)


def over(running: Running, deadline: float) -> bool:
    """Return whether the probe has ended; one that has closed its output is about to, and waited for.

    ssh closes its output some milliseconds before it ends; ``deadline`` is monotonic.
    """
    return _ends(running.child, max(0.0, deadline - time.monotonic()))


def last_words(running: Running) -> str:
    """Return the last line of the probe's standard error that says why."""
    return complaints.last(os.pread(running.errors, 1 << 16, 0))


def end(running: Running) -> None:
    """Make sure that the probe and everything it started is gone, but for what cannot be killed."""
    child = running.child
    if _at_work.pop(child.pid, None) is None:
        return
    if not _ends(child, 0.2):
        # It ends its children, which are in process groups of their own.
        os.killpg(child.pid, signal.SIGTERM)
        if not _ends(child, TIDY):
            os.killpg(child.pid, signal.SIGKILL)
            _ends(child, 0.2)
    if child.stdout is not None:
        child.stdout.close()
    os.close(running.errors)
    if running.copy:
        shutil.rmtree(running.copy, ignore_errors=True)


def _ends(child: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


@atexit.register
def _end_all() -> None:
    for running in list(_at_work.values()):
        end(running)
