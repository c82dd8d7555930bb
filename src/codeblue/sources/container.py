"""A container as a target: from inside where that can be, else from its files, and always its host."""

import os
from typing import Any

from msgspec import Struct, structs

from codeblue import patience
from codeblue.model.text import Message, message
from codeblue.sources.failures import of_engine
from codeblue.sources.launch import Launched, NoInterpreter, Options, enter, outside, send
from codeblue.sources.target import Target, Unusable, no_answer
from codeblue.transport import copied, inside, local

PAUSED = "paused"
HOST_FIRST = 0.25
"""Part of the budget in which the host is to answer before files are copied."""

COPYING = 0.5
"""Part of the budget that the copy may take."""


class _Look(Struct, frozen=True):
    """One container that is looked at."""

    target: Target
    options: Options
    told: inside.Container
    host: Launched
    """The probe on its host."""

    def settings(self, root: str) -> dict[str, Any]:
        """Return what the probe must know that looks at the files below ``root``."""
        named = {"engine": self.target.kind, "name": self.target.value}
        return {"container": named, "root": root, "environment": self.told.environment}


def both_sides(target: Target, options: Options) -> tuple[Launched, ...]:
    """Send one probe into the container, or to its files, and one to its host. Raises Unusable."""
    try:
        told = inside.container(target.kind, target.value)
    except inside.Refused as reason:
        raise Unusable(of_engine(target.name, target.kind, str(reason))) from None
    named = {"container": {"engine": target.kind, "name": target.value}}
    host = send(target, structs.replace(options, until="libraries"), named, side="host")
    try:
        return (_inside(_Look(target, options, told, host)), host)
    except Unusable as why:
        return (structs.replace(host, lacking=(why.line,)),)


def _inside(look: _Look) -> Launched:
    status = look.told.state.status
    if status == PAUSED:
        return _files(look, _paused(look.target))
    if status != "running":
        return _copy(look, _not_running(look.target, status))
    entry = (look.target.kind, "exec", "-i", look.target.value)
    try:
        return enter(look.target, look.options, entry, "container")
    except NoInterpreter as why:
        return _files(look, why.line)


def _files(look: _Look, why: Message) -> Launched:
    """Look at the files of a container that has a process. Raises Unusable if they do not answer."""
    root = f"/proc/{look.told.state.pid}/root"
    if look.told.state.pid and not patience.answers(f"{root}/"):
        raise Unusable(no_answer(root))
    if not look.told.state.pid or not os.access(f"{root}/.", os.R_OK | os.X_OK):
        return _copy(look, why)
    probe = outside(look.target, look.options, look.settings(root), "container")
    return structs.replace(probe, lacking=(why,))


def _copy(look: _Look, why: Message) -> Launched:
    """Look at a copy of the files that matter: nothing shows them here."""
    target, budget = look.target, look.options.budget
    # While it hands out a file, docker answers no question on the container: not those of the host's probe.
    local.spoken(look.host.running, budget * HOST_FIRST)
    copy = copied.copy(target.kind, target.value, look.told.environment, budget * COPYING)
    settings = look.settings(copy.folder) | {"copied": True, "incomplete": copy.incomplete}
    probe = outside(target, look.options, settings, "container")
    lacking = (why, _in_part(target, copy.incomplete)) if copy.incomplete else (why,)
    return structs.replace(probe, lacking=lacking)


def _not_running(target: Target, status: str) -> Message:
    return message(
        "{name} is not running ({status}): of its inside only some files were looked at",
        "{name} 没有在运行（{status}）：其内部只查看了部分文件",
        name=target.name,
        status=status,
    )


def _in_part(target: Target, why: str) -> Message:
    return message(
        "{name}: not all of the files that matter could be copied out of it ({why})",
        "{name}：需要的文件未能全部复制出来（{why}）",
        name=target.name,
        why=why,
    )


def _paused(target: Target) -> Message:
    return message(
        "{name} is paused: nothing can be tried inside, only its files were looked at;"
        " to continue it: {engine} unpause {value}",
        "{name} 已被暂停：无法在其中试运行，只查看了它的文件；恢复运行：{engine} unpause {value}",
        name=target.name,
        engine=target.kind,
        value=target.value,
    )
