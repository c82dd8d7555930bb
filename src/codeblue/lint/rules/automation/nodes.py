"""Do tasks leave the driver's device nodes alone, and give modes that mean what they look like?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.ansible import Task
from codeblue.model.config.node import Node
from codeblue.model.fault import Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

NODE = re.compile(r"/dev/nvidia(?!-container)")
MODES = frozenset(
    {
        "assemble",
        "copy",
        "file",
        "get_url",
        "lineinfile",
        "blockinfile",
        "replace",
        "template",
        "unarchive",
        "uri",
        "ini_file",
    }
)
"""Modules that set the mode of a file."""


@rule("playbook-sets-device-node-mode")
def tasks_leave_the_nodes(task: Task) -> Iterator[Problem]:
    """``file`` and ``copy`` do not set mode, owner or group of ``/dev/nvidia*``."""
    if task.module not in ("file", "copy", "template", "acl") or task.say("state") in ("absent", "link"):
        return
    given = next(
        (node for name in ("mode", "owner", "group", "permissions") if (node := task.get(name))), None
    )
    path = task.get("path", "dest", "name")
    text = path.text if path is not None else ""
    looped = any(NODE.match(one.text) for one in task.items) and "item" in text
    if given is not None and path is not None and (NODE.match(text) or looped):
        locks_out = _locks_out(task)
        yield Problem(
            place=given.place,
            message=(_shut if locks_out else _passing)(given.text, text),
            severity=Severity.ERROR if locks_out else None,
            variant="locks-out" if locks_out else "task",
        )


def _passing(value: str, node: str) -> Message:
    return message(
        "{value} on {node} does not last: the driver makes its nodes as its own options say",
        "对 {node} 设置 {value} 不会持久：驱动按自己的选项创建设备节点",
        value=value,
        node=node,
    )


def _shut(value: str, node: str) -> Message:
    return message(
        "{value} on {node}: only root can open it for writing, and CUDA finds no device for anybody else",
        "{node} 设为 {value}：只有 root 能以写方式打开，其他用户的 CUDA 找不到设备",
        value=value,
        node=node,
    )


def _locks_out(task: Task) -> bool:
    """Tell whether ordinary users can no longer open the node."""
    mode = task.say("mode")
    return re.fullmatch(r"0?[0-7]?[0-7][0-7][0-7]", mode) is not None and int(mode[-1]) & 6 != 6


@rule("ansible-mode-not-octal")
def modes_are_octal(task: Task) -> Iterator[Problem]:
    """``mode: 644`` is the decimal number 644, which is the mode 1204."""
    mode = task.get("mode")
    if task.module not in MODES or mode is None or mode.kind != "integer":
        return
    text = mode.text
    if re.fullmatch(r"[1-7][0-7]{2,3}", text) is None or int(text) > 0o7777:
        return
    yield Problem(
        place=mode.place,
        message=message(
            "mode {mode} without a zero in front is a decimal number: the file gets {wrong}",
            "mode {mode} 前面没有 0，会被当作十进制数：文件得到的权限是 {wrong}",
            mode=text,
            wrong=f"{int(text):04o}",
        ),
        fix=_quoted(mode),
    )


def _quoted(mode: Node) -> Fix:
    text = mode.text.rjust(4, "0")
    return Fix(
        message('write "{mode}"', '改为 "{mode}"', mode=text), (Edit(mode.place, f'"{text}"'),), safe=True
    )


RULES = (tasks_leave_the_nodes, modes_are_octal)
