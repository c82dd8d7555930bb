"""Start a live probe. Light on imports: the probe is to be at work while the rest is imported."""

import os
import subprocess
import time
from typing import Any

from msgspec import Struct

from codeblue.model.text import message
from codeblue.sources.probe_text import program
from codeblue.sources.target import Target, Unusable
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


class Launched(Struct, frozen=True):
    """A probe at work."""

    target: Target
    child: "subprocess.Popen[bytes]"
    marker: str
    """What each answer begins with."""
    budget: float
    started: float


def launch(target: Target, options: Options) -> Launched:
    """Send the probe to the target and return at once. Raises Unusable if the target has gone."""
    marker = f"codeblue-{os.urandom(8).hex()}:"
    config = {
        "marker": marker,
        "as_user": options.as_user,
        "budget": options.budget,
        "until": options.until,
        "salt": options.salt,
    }
    started = time.monotonic()
    if target.kind == "pid":
        child = _beside_process(target, config, options)
    else:
        child = local.start(program(config | {"python": target.value, "cwd": options.cwd}), options.cwd)
    return Launched(target, child, marker, options.budget, started)


def _beside_process(target: Target, config: dict[str, Any], options: Options) -> "subprocess.Popen[bytes]":
    from codeblue.sources.process import way_to

    if options.as_user:
        raise Unusable(
            message(
                "{target} is judged as the process's own user; leave out --as-user",
                "{target} 按进程自身的用户判断；请去掉 --as-user",
                target=target.name,
            )
        )
    way = way_to(target.value, config["marker"])
    config |= {"pid": way.pid, "namespaces": way.namespaces, "apart": way.apart}
    return local.start(program(config), prefix=way.prefix)
