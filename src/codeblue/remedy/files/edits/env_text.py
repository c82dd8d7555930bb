"""Variables that a start file or an environment file assigns; of several assignments the last one counts."""

import re
from typing import Any

from codeblue.remedy.files.edits import lines_text, tree
from codeblue.remedy.files.edits.shell_scan import NAME, Assignment, assignments
from codeblue.remedy.files.refusals import refused

SIMPLE = re.compile(r"[A-Za-z0-9_@%+=:,./-]*")


def parse(text: str) -> Any:
    """Return ``{name: value as written}``; the last assignment counts."""
    return {one.name: text[one.begin : one.end] for one in assignments(text)}


def wanted(old: Any, path: tree.Path, mode: tree.Mode, value: Any) -> Any:
    """Return what the change should make of the assignments. Raises Refused."""
    return tree.changed(old, (_name(path),), mode, quoted(value) if mode == "set" else value)


def _name(path: tree.Path) -> str:
    if len(path) != 1 or not NAME.fullmatch(path[0]):
        raise refused(
            "{name}: this is no name of a variable", "{name}：这不是变量名", name=".".join(path)[:80]
        )
    return path[0]


def quoted(value: Any) -> str:
    """Return a value as a shell and as the readers of environment files understand it. Raises Refused.

    Those readers (PAM, systemd) know double quotes, but neither escapes nor the ways of the shell.
    """
    text = value if isinstance(value, str) else str(value)
    if SIMPLE.fullmatch(text):
        return text
    if re.search(r"[\x00-\x1f\x7f\"$`\\!]", text):
        raise refused(
            "{value}: programs read some of its characters differently; set it by hand",
            "{value}：该值包含不同程序解释不一的字符；请手动设置",
            value=re.sub(r"[\x00-\x1f\x7f]", "?", text)[:80],
        )
    return f'"{text}"'


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with the variable set once more or not at all. Raises Refused."""
    if mode == "add" or (mode == "remove" and value is not tree.ABSENT):
        raise refused("a variable is set or removed as a whole", "变量只能整体设置或删除")
    of_name = [one for one in assignments(text) if one.name == _name(path)]
    if mode == "remove":
        for one in reversed(of_name):
            text = _without(text, one)
        return text
    if not of_name:
        return lines_text.appended(text, f"{path[0]}={quoted(value)}")
    return text[: of_name[-1].begin] + quoted(value) + text[of_name[-1].end :]


def _without(text: str, one: Assignment) -> str:
    """Take an assignment out; inside of a block ``:`` takes its place, since a block must not be empty."""
    start = text.rfind("\n", 0, one.line) + 1
    if one.alone and start == one.line:
        return text[:start] + text[text.find("\n", one.end) + 1 or len(text) :]
    if one.alone or not text[one.line : one.start].strip():
        return text[: one.line] + ":" + text[one.end :]
    end = one.end
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    return text[: one.start] + text[end:]
