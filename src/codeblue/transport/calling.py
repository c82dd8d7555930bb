"""One call of a program, bounded in time: what it printed, and what it complained about."""

import os
import signal
import subprocess
from contextlib import suppress

from msgspec import Struct

from codeblue.transport.starting import started

SECONDS = 60.0
"""Patience with one call."""
LATE = 124
"""Code of a call that did not end in time."""
MISSING = 127
"""Code where the program cannot be started."""


class Answer(Struct, frozen=True):
    """What a call came to."""

    code: int
    out: bytes
    words: str
    """All of its complaints."""


def call(arguments: list[str], text: bytes = b"", seconds: float = SECONDS) -> Answer:
    """Run one call and hand it ``text``. What does not end within ``seconds`` is killed."""
    try:
        child = started(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is ours: we still have to clean up with it
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        return Answer(MISSING, b"", error.strerror or str(error))
    try:
        out, err = child.communicate(text, timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(child)
        return Answer(LATE, b"", f"no answer within {seconds:g} s")
    except BaseException:  # interrupted: nothing is to stay behind
        _end(child)
        raise
    return Answer(child.returncode, out, err.decode("utf-8", "replace").strip())


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Kill the call and what it has started, such as a login helper; one in state D is not waited for."""
    with suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(0.2)
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
