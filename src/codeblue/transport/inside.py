"""Where an interpreter is to be found inside a container or under another root."""

import os
import re
import shutil
import subprocess
from contextlib import suppress

from msgspec import MsgspecError, Struct, json

from codeblue.transport.starting import started

INTERPRETERS = ("python3", "python", "/usr/bin/python3", "/opt/conda/bin/python", "/usr/local/bin/python3")
NEEDED = "import json, hmac, select, subprocess, pwd, resource; print(1)"
"""An interpreter without the standard library, as minimal images have it, cannot run the probe."""

ENGINES_OWN = re.compile(r"Error response from daemon|Error: |OCI runtime|[Ee]rror from server|error: ")
"""How the words of the engine, or of kubectl, begin where it could not start the program."""

NO_PROGRAM = re.compile(r"not found|[Nn]o such file|[Pp]ermission denied|exec format")

SECONDS = 5.0
"""Patience with an engine's answer."""

LATE = 124
"""Exit code of what did not end in time."""


class Refused(Exception):
    """The engine or the folder cannot be used. ``str()`` is its own reason, one line."""


class NoEntry(Exception):
    """Nothing can be started inside: the engine refuses, or what was started hangs. ``str()`` says why."""


class State(Struct, frozen=True, rename="pascal"):
    """Whether a container runs."""

    status: str
    pid: int = 0
    """0 if it is not running."""


class Config(Struct, frozen=True, rename="pascal"):
    """How a container was set up."""

    env: list[str] | None = None


class Container(Struct, frozen=True, rename="pascal"):
    """What the engine says of a container."""

    state: State
    config: Config = Config()

    @property
    def environment(self) -> dict[str, str]:
        """The variables that it is started with."""
        rows = (row.partition("=") for row in self.config.env or ())
        return {name: value for name, _, value in rows}


def container(engine: str, name: str) -> Container:
    """Return what the engine knows of a container. Raises Refused with the engine's reason."""
    if shutil.which(engine) is None:
        raise Refused(f"{engine} is not installed here")
    code, out, err = _run([engine, "inspect", "--type", "container", "--", name])
    if code != 0:
        raise Refused(_reason(err) or f"{engine} inspect ended with {code}")
    try:
        [told] = json.decode(out, type=list[Container])
    except (MsgspecError, ValueError):
        raise Refused(f"{engine} inspect gave an unexpected answer") from None
    return told


def interpreter(prefix: tuple[str, ...]) -> str | None:
    """Return the first interpreter that runs behind the argv prefix, or None.

    Raises NoEntry, also at the first that hangs: the others lie on the same file system.
    """
    for candidate in INTERPRETERS:
        code, out, err = _run([*prefix, candidate, "-c", NEEDED])
        words = err or out  # docker prints the runtime's refusal as output
        if code == LATE or (code and ENGINES_OWN.match(words) and not NO_PROGRAM.search(words)):
            raise NoEntry(_reason(words))
        if (code, out) == (0, "1\n"):
            return candidate
    return None


def tried(prefix: tuple[str, ...]) -> None:
    """Try the one interpreter that the argv prefix leads to. Raises NoEntry if it cannot run the probe."""
    code, out, err = _run([*prefix, "-c", NEEDED])
    if (code, out) != (0, "1\n"):
        raise NoEntry(_reason(err) or "no Python 3")


def _run(arguments: list[str]) -> tuple[int, str, str]:
    try:
        child = started(
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
