"""A container as a target: from inside where that can be, else from its files, and always its host."""

import os
from typing import Any

from msgspec import structs

from codeblue.model.text import Message, message
from codeblue.sources.launch import Launched, NoInterpreter, Options, enter, outside, send
from codeblue.sources.target import Target, Unusable
from codeblue.transport import copied, inside

PAUSED = "paused"


def both_sides(target: Target, options: Options) -> tuple[Launched, ...]:
    """Send one probe into the container, or to its files, and one to its host. Raises Unusable."""
    try:
        told = inside.container(target.kind, target.value)
    except inside.Refused as reason:
        raise Unusable(_refused(target, str(reason))) from None
    named = {"container": {"engine": target.kind, "name": target.value}}
    host = send(target, structs.replace(options, until="libraries"), named, side="host")
    status = told.state.status
    if status == PAUSED:
        return (_files(target, options, told, _paused(target)), host)
    if status != "running":
        return (_copy(target, options, told, _not_running(target, status)), host)
    try:
        return (enter(target, options, (target.kind, "exec", "-i", target.value), "container"), host)
    except NoInterpreter as why:
        return (_files(target, options, told, why.line), host)


def _files(target: Target, options: Options, told: inside.Container, why: Message) -> Launched:
    """Look at the files of a container that has a process."""
    root = f"/proc/{told.state.pid}/root"
    if not told.state.pid or not os.access(f"{root}/.", os.R_OK | os.X_OK):
        return _copy(target, options, told, why)
    probe = outside(target, options, _extra(target, told, root), "container")
    return structs.replace(probe, lacking=(why,))


def _copy(target: Target, options: Options, told: inside.Container, why: Message) -> Launched:
    """Look at a copy of the files that matter: nothing shows them here."""
    copy = copied.copy(target.kind, target.value, told.environment, options.budget / 2)
    extra = _extra(target, told, copy.folder) | {"copied": True, "incomplete": copy.incomplete}
    probe = outside(target, options, extra, "container")
    running = structs.replace(probe.running, copy=copy.folder)
    lacking = (why, _in_part(target, copy.incomplete)) if copy.incomplete else (why,)
    return structs.replace(probe, running=running, lacking=lacking)


def _extra(target: Target, told: inside.Container, root: str) -> dict[str, Any]:
    named = {"engine": target.kind, "name": target.value}
    return {"container": named, "root": root, "environment": told.environment}


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


def _refused(target: Target, why: str) -> Message:
    if target.kind == "podman" and "no such container" in why.lower():
        return message(
            "{name}: {why}; podman shows each user only his own: run codeblue as the user who started it",
            "{name}：{why}；podman 只显示各用户自己的容器：请以启动它的用户运行 codeblue",
            name=target.name,
            why=why,
        )
    return message("{name}: {why}", "{name}：{why}", name=target.name, why=why)
