"""Where an interpreter is to be found inside a container or under another root."""

import os
import shutil
import subprocess
from contextlib import suppress

from msgspec import Struct

INTERPRETERS = ("python3", "python", "/usr/bin/python3", "/opt/conda/bin/python", "/usr/local/bin/python3")
NEEDED = "import json, hmac, select, subprocess, pwd, resource; print(1)"
"""An interpreter without the standard library, as minimal images have it, cannot run the probe."""

SECONDS = 5.0
"""Patience with an engine's answer."""

LATE = 124
"""Exit code of what did not end in time."""


class Refused(Exception):
    """The engine or the folder cannot be used. ``str()`` is its own reason, one line."""


class Silence(Exception):
    """What was started inside did not come back in time."""


class State(Struct, frozen=True):
    """What the engine says of a container."""

    status: str
    pid: int
    """0 if it is not running."""


def container(engine: str, name: str) -> State:
    """Return the state of a container. Raises Refused with the engine's reason."""
    if shutil.which(engine) is None:
        raise Refused(f"{engine} is not installed here")
    form = "{{.State.Status}} {{.State.Pid}}"
    code, out, err = _run([engine, "inspect", "--type", "container", "--format", form, "--", name])
    words = out.split()
    if code != 0 or len(words) != 2:
        raise Refused(_reason(err) or f"{engine} inspect ended with {code}")
    return State(words[0], int(words[1]))


def interpreter(prefix: tuple[str, ...]) -> str | None:
    """Return the first interpreter that runs behind the argv prefix, or None.

    Raises Silence at the first that hangs: the others lie on the same file system.
    """
    for candidate in INTERPRETERS:
        code, out, _ = _run([*prefix, candidate, "-c", NEEDED])
        if (code, out) == (0, "1\n"):
            return candidate
        if code == LATE:
            raise Silence
    return None


def _run(arguments: list[str]) -> tuple[int, str, str]:
    try:
        child = subprocess.Popen(  # noqa: S603 - an argument vector, never a shell
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        return 127, "", error.strerror or str(error)
    try:
        out, err = child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        _left(child)
        return LATE, "", f"no answer within {SECONDS:g} s"
    except BaseException:  # interrupted: nothing is to stay behind
        _left(child)
        raise
    return child.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _left(child: "subprocess.Popen[bytes]") -> None:
    """Kill a program; one in state D is not waited for."""
    child.kill()
    with suppress(subprocess.TimeoutExpired):
        child.wait(0.2)
    for stream in (child.stdout, child.stderr):
        if stream is not None:
            stream.close()


def _reason(words: str) -> str:
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return lines[-1].removeprefix("Error: ").removeprefix("Error response from daemon: ") if lines else ""
