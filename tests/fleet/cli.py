"""The command line, as a user calls it."""

import os
import subprocess
import sys
from typing import NamedTuple


class Done(NamedTuple):
    """What came of a command."""

    code: int
    text: str
    words: str


def codeblue(*arguments: str, **environment: str) -> Done:
    """Run codeblue and return what it wrote."""
    done = subprocess.run(
        [sys.executable, "-m", "codeblue", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, **environment},
    )
    return Done(done.returncode, done.stdout, done.stderr)
