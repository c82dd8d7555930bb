"""Run the probe's text over an argv prefix: here, inside a container, under another root."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from selectors import EVENT_READ, DefaultSelector

from msgspec import Struct

INTERPRETER_FLAGS = ("-I", "-S", "-B", "-")
GRACE = 5.0
"""Seconds beyond the probe's own budget before it is stopped."""

LAST_CALL = 2.0
"""Seconds for reading an answer when the time is over."""
LARGEST = 64 << 20
"""Bytes of one line of an answer; more is no answer of ours."""


class Running(Struct, frozen=True):
    """A probe at work."""

    child: "subprocess.Popen[bytes]"
    errors: int
    """File descriptor of a memory file that takes its standard error."""
    copy: str | None = None
    """Folder with the copied files that it reads; removed at the end."""


def start(program: str, cwd: str | None = None, interpreter: tuple[str, ...] = ()) -> Running:
    """Start an isolated interpreter in a process group of its own and hand it the program.

    ``interpreter`` is the argv prefix over which ``-`` runs; default is our own.
    """
    errors = os.memfd_create("probe-errors")
    # A file, no pipe: an interpreter that hangs would never empty a pipe, and we would wait for it.
    text = os.memfd_create("probe")
    with os.fdopen(text, "wb", closefd=False) as stream:
        stream.write(program.encode())
    os.lseek(text, 0, os.SEEK_SET)
    child = subprocess.Popen(  # noqa: S603 - an argument vector, never a shell
        [*(interpreter or (sys.executable,)), *INTERPRETER_FLAGS],
        stdin=text,
        stdout=subprocess.PIPE,
        stderr=errors,
        cwd=cwd,
        start_new_session=True,
    )
    os.close(text)
    return Running(child, errors)


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


def last_words(running: Running) -> str:
    """Return the last line of the probe's standard error."""
    text = os.pread(running.errors, 1 << 16, 0).decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def end(running: Running) -> None:
    """Make sure that the probe and everything it started is gone."""
    child = running.child
    if child.poll() is None:
        try:
            child.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    if child.stdout is not None:
        child.stdout.close()
    os.close(running.errors)
    if running.copy:
        shutil.rmtree(running.copy, ignore_errors=True)
