"""Start a program so that nothing is left of it if a signal ends us before we know it."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any


def started(command: Sequence[str], **options: Any) -> "subprocess.Popen[bytes]":
    """Return the running program; ``options`` are those of Popen. Raises OSError.

    Between the fork and the answer of the new program Popen waits. What ends the wait, such as
    a signal that raises SystemExit, takes the object away and leaves the process: it is killed here.
    """
    before = _children()
    try:
        return subprocess.Popen(command, **options)  # noqa: S603 - an argument vector, never a shell
    except BaseException:
        for pid in _children() - before:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        raise


def _children() -> set[int]:
    """Return our children, as far as the kernel tells them."""
    found: set[int] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, path.read_text().split()))
    return found
