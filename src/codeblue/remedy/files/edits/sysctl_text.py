"""Kernel settings in sysctl.d: ``name = value`` lines; of several the last one counts."""

import re
from typing import Any

from codeblue.remedy.files.edits import lines_text, tree
from codeblue.remedy.files.refusals import refused

ENTRY = re.compile(
    r"^[ \t]*(?P<name>-?[A-Za-z0-9_*./-]+)[ \t]*=[ \t]*(?P<value>[^\r\n]*?)[ \t]*(?=\r?$)", re.M
)
NAME = re.compile(r"[A-Za-z0-9_*./-]+")
VALUE = re.compile(r"[A-Za-z0-9_.,:/%+ \t-]+")


def parse(text: str) -> Any:
    """Return ``{name: value}`` with dots in the names."""
    return {_dotted(row["name"]): row["value"] for row in ENTRY.finditer(text)}


def _dotted(name: str) -> str:
    """A name may be written with slashes; then its dots are slashes' opposites, as sysctl.d(5) says."""
    name = name.removeprefix("-")
    first = re.search(r"[./]", name)
    if first and first.group() == "/":
        return name.translate(str.maketrans("./", "/."))
    return name


def wanted(old: Any, path: tree.Path, mode: tree.Mode, value: Any) -> Any:
    """Return what the change should make of the settings. Raises Refused."""
    name = ".".join(path)
    good = NAME.fullmatch(name) and (value is tree.ABSENT or VALUE.fullmatch(str(value)))
    if mode == "add" or not good:
        raise refused("a setting is given one value, or removed", "参数只能设为一个值，或被删除")
    return tree.changed(old, (name,), mode, str(value) if mode == "set" else value)


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with one setting set, or removed from every line."""
    name = ".".join(path)
    rows = [row for row in ENTRY.finditer(text) if _dotted(row["name"]) == name]
    if mode == "remove":
        for row in reversed(rows):
            text = text[: row.start()] + text[text.find("\n", row.end()) + 1 or len(text) :]
        return text
    if not rows:
        return lines_text.appended(text, f"{name} = {value}")
    return text[: rows[-1].start("value")] + str(value) + text[rows[-1].end("value") :]
