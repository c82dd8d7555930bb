"""Words of the kernel command line in GRUB's defaults, which a shell reads."""

import re
import shlex
from typing import Any

from codeblue.remedy.files.edits import lines_text, tree
from codeblue.remedy.files.edits.shell_scan import assignments
from codeblue.remedy.files.refusals import refused

WORD = re.compile(r"[A-Za-z0-9_.,:=/@%+-]+")
"""Nothing that a shell, GRUB or the kernel would take apart."""


def parse(text: str) -> Any:
    """Return ``{name: [word, …]}`` of every variable; the last assignment counts."""
    return {one.name: _words(text[one.begin : one.end]) for one in assignments(text)}


def _words(raw: str) -> list[str]:
    return re.split(r"[ \t]+", inner) if (inner := raw.strip("\"'").strip()) else []


def wanted(old: Any, path: tree.Path, mode: tree.Mode, value: Any) -> Any:
    """Return what the change should make of the variables. Raises Refused."""
    if len(path) != 1 or not isinstance(value, str) or not WORD.fullmatch(value):
        raise refused(
            "{value}: this is not one word of a kernel command line",
            "{value}：这不是内核命令行中的一个词",
            value=str(value)[:80],
        )
    new = tree.changed(old, path, mode, [value] if mode == "set" else value)
    return new if new.get(path[0]) != [] or path[0] in old else old


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with a word added to, or removed from, a variable. Raises Refused."""
    of_name = [one for one in assignments(text) if one.name == path[0]]
    if not of_name:
        return lines_text.appended(text, f'{path[0]}="{value}"')
    one = of_name[-1]
    raw = text[one.begin : one.end]
    mark = _mark(raw, path[0])
    inner = raw[1:-1] if mark else raw
    if mode == "set":
        inner = value
    elif mode == "add":
        inner = f"{inner.rstrip()} {value}" if inner.strip() else value
    else:
        inner = _without(inner, value)
    mark = mark or ('"' if " " in inner or not inner else "")
    return text[: one.begin] + mark + inner + mark + text[one.end :]


def _mark(raw: str, name: str) -> str:
    """Return the quote around the whole value. Raises Refused where the quotes are mixed."""
    for mark in "\"'":
        if len(raw) > 1 and raw[0] == raw[-1] == mark and mark not in raw[1:-1]:
            return mark
    if not re.search(r"[\"'\\`$]", raw):
        return ""
    raise refused(
        "{name}: its value is put together from several parts; change it by hand",
        "{name}：它的值由多个部分拼接而成；请手动修改",
        name=name,
    )


def _without(inner: str, word: str) -> str:
    return re.sub(rf"(?:^|[ \t]+){re.escape(word)}(?=[ \t]|$)", "", inner).lstrip(" \t")


def sourced(output: bytes) -> dict[str, str]:
    """Return the variables that a shell has printed with ``set``."""
    found: dict[str, str] = {}
    for word in shlex.split(output.decode("utf-8", "surrogateescape")):
        name, equals, value = word.partition("=")
        if equals:
            found[name] = value
    return found
