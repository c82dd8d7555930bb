"""Start a live probe. Light on imports: the probe is to be at work while the rest is imported."""

import os
import time
from typing import Any

from msgspec import Struct, structs

from codeblue.model.text import Message, message
from codeblue.sources.failures import of_engine
from codeblue.sources.probe_text import program
from codeblue.sources.target import CONTAINERS, Target, Unusable
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
    alone: Message | None = None
    """Why only the host of a container is looked at."""


def launch(target: Target, options: Options) -> tuple[Launched, ...]:
    """Send the probe to the target and return at once; a container's host is looked at beside it.

    A target that runs no Python is left to the host's probe. Raises Unusable.
    """
    if target.kind == "pid":
        return (_beside_process(target, options),)
    if target.kind == "chroot":
        try:
            return (_inside(target, options, ("chroot", target.value), None),)
        except NoInterpreter:
            return (_from_outside(target, options, target.value, {}, None),)
    if target.kind not in CONTAINERS:
        return (_send(target, options, {"python": target.value, "cwd": options.cwd}),)
    try:
        state = inside.container(target.kind, target.value)
    except inside.Refused as reason:
        raise Unusable(of_engine(target.name, target.kind, str(reason))) from None
    extra = {"container": {"engine": target.kind, "name": target.value}}
    host = _send(target, structs.replace(options, until="libraries"), extra, side="host")
    if state.status != "running":
        return (structs.replace(host, alone=_not_running(target, state.status)),)
    try:
        return (_inside(target, options, (target.kind, "exec", "-i", target.value), "container"), host)
    except NoInterpreter as why:
        if os.getuid() != 0:
            return (structs.replace(host, alone=why.line),)
        return (_from_outside(target, options, f"/proc/{state.pid}/root", extra, "container"), host)


def _beside_process(target: Target, options: Options) -> Launched:
    from codeblue.sources.process import way_to

    if options.as_user:
        raise Unusable(
            message(
                "{target} is judged as the process's own user; leave out --as-user",
                "{target} 按进程自身的用户判断；请去掉 --as-user",
                target=target.name,
            )
        )
    marker = _marker()
    way = way_to(target.value, marker)
    extra = {"pid": way.pid, "namespaces": way.namespaces, "apart": way.apart}
    return _send(target, options, extra, way.prefix, marker=marker)


def _from_outside(
    target: Target, options: Options, root: str, extra: dict[str, Any], side: str | None
) -> Launched:
    """Look at the files below ``root`` with our own interpreter, where none runs inside."""
    return _send(target, structs.replace(options, until="plain"), {**extra, "root": root}, side=side)


def _not_running(target: Target, status: str) -> Message:
    return message(
        "{name} is not running ({status}): only its host was looked at",
        "{name} 没有在运行（{status}）：只查看了它的宿主机",
        name=target.name,
        status=status,
    )


class NoInterpreter(Unusable):
    """The target runs no Python that could run the probe."""


def _inside(target: Target, options: Options, prefix: tuple[str, ...], side: str | None) -> Launched:
    try:
        found = inside.interpreter(prefix)
    except inside.Silence:
        raise Unusable(
            message(
                "{name}: what is started in there does not answer within {seconds} s",
                "{name}：在里面启动的程序在 {seconds} 秒内没有响应",
                name=target.name,
                seconds=f"{inside.SECONDS:g}",
            )
        ) from None
    if found is None:
        raise NoInterpreter(
            message(
                "{name}: no Python 3 runs in there, so it cannot be looked at from inside",
                "{name}：里面没有可运行的 Python 3，无法从内部查看",
                name=target.name,
            )
        )
    return _send(target, options, {}, (*prefix, found), side)


def _send(
    target: Target,
    options: Options,
    extra: dict[str, Any],
    interpreter: tuple[str, ...] = (),
    side: str | None = None,
    marker: str = "",
) -> Launched:
    marker = marker or _marker()
    config = {
        "marker": marker,
        "as_user": options.as_user,
        "budget": options.budget,
        "until": options.until,
        "salt": options.salt,
        "next_boot": options.next_boot,
        **extra,
    }
    started = time.monotonic()
    running = local.start(program(config), extra.get("cwd"), interpreter)
    return Launched(target, running, marker, options.budget, started, side)


def _marker() -> str:
    return f"codeblue-{os.urandom(8).hex()}:"
