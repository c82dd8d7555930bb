"""Run the probe on this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector

INTERPRETER_FLAGS = ("-I", "-S", "-B", "-")
GRACE = 5.0
"""Seconds beyond the probe's own budget before it is stopped."""


def start(program: str, cwd: str | None = None, prefix: Sequence[str] = ()) -> "subprocess.Popen[bytes]":
    """Start an isolated interpreter in a process group of its own and hand it the program.

    ``prefix`` is the argv that stands for the interpreter; by default it is our own.
    """
    child = subprocess.Popen(  # noqa: S603 - an argument vector of our own
        [*(prefix or (sys.executable,)), *INTERPRETER_FLAGS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        start_new_session=True,
    )
    assert child.stdin is not None
    with suppress(BrokenPipeError):  # it has ended already, and says why on its standard output
        child.stdin.write(program.encode())
    with suppress(BrokenPipeError):
        child.stdin.close()
    return child


def answers(child: "subprocess.Popen[bytes]", marker: str, deadline: float) -> Iterator[bytes]:
    """Yield what stands behind ``marker`` on each line, as it comes, until the monotonic ``deadline``."""
    assert child.stdout is not None
    mark, buffer = marker.encode(), b""
    with DefaultSelector() as selector:
        selector.register(child.stdout, EVENT_READ)
        while selector.select(max(0.0, deadline + GRACE - time.monotonic())):
            chunk = os.read(child.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            yield from (line[len(mark) :] for line in lines if line.startswith(mark))


def end(child: "subprocess.Popen[bytes]") -> None:
    """Make sure that the probe and everything it started is gone."""
    if child.poll() is None:
        try:
            child.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    if child.stdout is not None:
        child.stdout.close()
