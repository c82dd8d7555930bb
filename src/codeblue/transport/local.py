"""Run the probe on this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from selectors import EVENT_READ, DefaultSelector

INTERPRETER_FLAGS = ("-I", "-S", "-B", "-")
GRACE = 5.0
"""Seconds beyond the probe's own budget before it is stopped."""


def answers(
    program: str, marker: str, budget: float, meanwhile: Callable[[], object], cwd: str | None = None
) -> Iterator[bytes]:
    """Run the program text and yield each line behind ``marker`` as it comes.

    ``meanwhile`` is called once while the probe is at work.

    The probe runs in a process group of its own, which is killed when it overruns
    ``budget`` seconds, or when the caller stops listening.
    """
    child = subprocess.Popen(  # noqa: S603 - our own interpreter and flags
        [sys.executable, *INTERPRETER_FLAGS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        start_new_session=True,
    )
    assert child.stdin is not None
    try:
        child.stdin.write(program.encode())
        child.stdin.close()
        meanwhile()
        yield from _marked(child, marker.encode(), time.monotonic() + budget + GRACE)
    finally:
        _end(child)


def _marked(child: "subprocess.Popen[bytes]", marker: bytes, deadline: float) -> Iterator[bytes]:
    assert child.stdout is not None
    buffer = b""
    with DefaultSelector() as selector:
        selector.register(child.stdout, EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            chunk = os.read(child.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            yield from (line[len(marker) :] for line in lines if line.startswith(marker))


def _end(child: "subprocess.Popen[bytes]") -> None:
    if child.poll() is None:
        try:
            child.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    if child.stdout is not None:
        child.stdout.close()
