"""Ask a program whether it would accept a file: no shell, bounded in time and output."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

SECONDS = 20.0
LONGEST = 1 << 22
"""Bytes of output that are read."""
FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Said(Struct, frozen=True):
    """How a program ended."""

    code: int
    out: bytes
    words: str
    """Standard error."""


def found(name: str) -> str | None:
    """Return where the program lies, None if it is in none of the system's folders."""
    return shutil.which(name, path=FOLDERS)


def asked(argv: Sequence[str], env: Mapping[str, str] | None = None, seconds: float = SECONDS) -> Said:
    """Run a program to its end. One that takes too long is killed and answers with code 124."""
    clean = {"PATH": FOLDERS, "LC_ALL": "C", **(env or {})}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - an argument vector, no shell
            argv,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=clean,
            cwd="/",
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = 124
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        out.seek(0)
        errors.seek(0)
        words = errors.read(LONGEST).decode("utf-8", "replace")
        return Said(code, out.read(LONGEST), f"{argv[0]}: no answer" if code == 124 else words)
