"""Start a live probe. Light on imports: the probe is to be at work while the rest is imported."""

import os
import time
from typing import Any

from msgspec import Struct, structs

from codeblue.model.text import Message, message
from codeblue.sources.probe_text import program
from codeblue.sources.target import CONTAINERS, REMOTE, Target, Unusable
from codeblue.transport import inside, local


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
    trials: dict[str, Any] | None = None
    """What is to be measured, as the probe's conductor takes it."""


class Launched(Struct, frozen=True):
    """A probe at work."""

    target: Target
    running: local.Running
    marker: str
    """What each answer begins with."""
    budget: float
    started: float
    side: str | None = None
    """``container`` or ``host`` where both are looked at."""
    lacking: tuple[Message, ...] = ()
    """What of the target is not looked at, and why."""


def launch(target: Target, options: Options) -> tuple[Launched, ...]:
    """Send the probe to the target and return at once; a container's host is looked at beside it.

    A target that runs no Python is left to the host's probe. Raises Unusable.
    """
    if target.kind == "pid":
        from codeblue.sources.process import beside

        return beside(target, options)
    if target.kind == "chroot":
        try:
            return (enter(target, options, ("chroot", target.value), None),)
        except NoInterpreter as why:
            probe = outside(target, options, {"root": target.value}, None)
            return (structs.replace(probe, lacking=(why.line,)),)
    if target.kind in REMOTE:
        from codeblue.sources.remote import beyond

        return (beyond(target, options),)
    if target.kind in CONTAINERS:
        from codeblue.sources.container import both_sides

        return both_sides(target, options)
    if target.kind == "pod":
        from codeblue.sources.pod import within

        return (within(target, options),)
    return (send(target, options, {"python": target.value, "cwd": options.cwd}),)


def outside(target: Target, options: Options, extra: dict[str, Any], side: str | None) -> Launched:
    """Look at the files below ``extra["root"]`` with our own interpreter, where none runs inside."""
    return send(target, structs.replace(options, until="plain"), extra, side=side)


class NoInterpreter(Unusable):
    """The target runs no Python that could run the probe."""


def enter(target: Target, options: Options, prefix: tuple[str, ...], side: str | None) -> Launched:
    """Send the probe into the target over an argv prefix. Raises NoInterpreter."""
    try:
        found = inside.interpreter(prefix)
    except inside.NoEntry as why:
        raise NoInterpreter(
            message(
                "{name}: nothing can be started inside ({why}), so only its files were looked at",
                "{name}：无法在里面启动程序（{why}），因此只查看了它的文件",
                name=target.name,
                why=why,
            )
        ) from None
    if found is None:
        raise NoInterpreter(
            message(
                "{name}: no Python 3 runs in there, so only its files were looked at",
                "{name}：里面没有可运行的 Python 3，因此只查看了它的文件",
                name=target.name,
            )
        )
    return send(target, options, {}, (*prefix, found), side)


def send(
    target: Target,
    options: Options,
    extra: dict[str, Any],
    interpreter: tuple[str, ...] = (),
    side: str | None = None,
    marker: str = "",
) -> Launched:
    """Start one probe; ``extra`` are settings of its program beside the options."""
    marker = marker or new_marker()
    config = {
        "marker": marker,
        "as_user": options.as_user,
        "budget": options.budget,
        "until": options.until,
        "salt": options.salt,
        "next_boot": options.next_boot,
        "trials": options.trials if side != "host" else None,
        **extra,
    }
    started = time.monotonic()
    copy = extra["root"] if extra.get("copied") else None
    running = local.start(program(config), extra.get("cwd"), interpreter, copy)
    return Launched(target, running, marker, options.budget, started, side)


def new_marker() -> str:
    """Return what each answer of one probe begins with."""
    return f"codeblue-{os.urandom(8).hex()}:"
