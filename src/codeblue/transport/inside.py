"""Where an interpreter is to be found inside a container or under another root."""

import os
import shutil
import subprocess

from msgspec import Struct

INTERPRETERS = ("python3", "python", "/usr/bin/python3", "/opt/conda/bin/python", "/usr/local/bin/python3")
NEEDED = "import json, hmac, select, subprocess, pwd, resource; print(1)"
"""An interpreter without the standard library, as minimal images have it, cannot run the probe."""

SECONDS = 5.0
"""Patience with an engine's answer."""


class Refused(Exception):
    """The engine or the folder cannot be used. ``str()`` is its own reason, one line."""


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
    """Return the first interpreter that runs behind the argv prefix, or None."""
    for candidate in INTERPRETERS:
        if _run([*prefix, candidate, "-c", NEEDED])[:2] == (0, "1\n"):
            return candidate
    return None


def _run(arguments: list[str]) -> tuple[int, str, str]:
    try:
        done = subprocess.run(  # noqa: S603 - an argument vector, never a shell
            arguments,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        return 124, "", f"no answer within {SECONDS:g} s"
    except OSError as error:
        return 127, "", error.strerror or str(error)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def _reason(words: str) -> str:
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return lines[-1].removeprefix("Error: ").removeprefix("Error response from daemon: ") if lines else ""
