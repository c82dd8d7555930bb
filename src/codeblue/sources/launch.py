"""Start a live probe. Light on imports: the probe is to be at work while the rest is imported."""

import os
import subprocess
import time

from msgspec import Struct

from codeblue.sources.probe_text import program
from codeblue.sources.target import Target
from codeblue.transport import local


class Options(Struct, frozen=True, kw_only=True):
    """How a live target is to be looked at."""

    as_user: str | None = None
    budget: float = 30.0
    """Seconds."""
    until: str = "frameworks"
    salt: str = ""
    """Key of the pseudonyms."""
    cwd: str | None = None
    next_boot: bool = False
    """Also read what the next boot will start with."""


class Launched(Struct, frozen=True):
    """A probe at work."""

    target: Target
    child: "subprocess.Popen[bytes]"
    marker: str
    """What each answer begins with."""
    budget: float
    started: float


def launch(target: Target, options: Options) -> Launched:
    """Send the probe to the target and return at once."""
    marker = f"codeblue-{os.urandom(8).hex()}:"
    config = {
        "marker": marker,
        "python": target.value,
        "as_user": options.as_user,
        "budget": options.budget,
        "until": options.until,
        "salt": options.salt,
        "cwd": options.cwd,
        "next_boot": options.next_boot,
    }
    started = time.monotonic()
    child = local.start(program(config), options.cwd)
    return Launched(target, child, marker, options.budget, started)
