"""INI and systemd units: sections with ``key = value`` lines; a key may stand more than once."""

import re
from typing import Any

from msgspec import Struct

from codeblue.remedy.files.edits import brackets, tree
from codeblue.remedy.files.edits.json_text import unreadable
from codeblue.remedy.files.refusals import refused

SECTION = re.compile(r"[ \t]*\[([^\]\r\n]*)\][ \t]*(?:[#;][^\r\n]*)?$")
ENTRY = re.compile(r"[ \t]*([^=\s#;\[][^=\r\n]*?)([ \t]*=[ \t]*)(.*)$")


class Row(Struct):
    """One ``key = value``, over more than one line if they end with a backslash."""

    section: str
    key: str
    between: str
    value: str
    start: int
    """Where its first line begins."""
    begin: int
    """Where the value begins."""
    end: int
    """Where the value ends."""


def _rows(text: str) -> tuple[list[Row], dict[str, int]]:
    """Return the entries, and of each section where its last line ends. Raises Refused."""
    rows: list[Row] = []
    ends: dict[str, int] = {}
    section, at = "", 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        end = brackets.line_end(text, at)
        line = text[at:end]
        if found := SECTION.match(line):
            section = found.group(1)
            ends[section] = end
        elif line.strip() and line.lstrip()[0] not in "#;":
            entry = ENTRY.match(line)
            if not entry:
                raise unreadable(text, at, "INI")
            end = _continued(text, end)
            begin = at + entry.start(3)
            value = text[begin:end].rstrip(" \t")
            rows.append(Row(section, entry.group(1), entry.group(2), value, at, begin, begin + len(value)))
            ends[section] = end
        at = text.find("\n", end) + 1 or len(text)
    return rows, ends


def _continued(text: str, end: int) -> int:
    while text[end - 1 : end] == "\\" and end < len(text):
        end = brackets.line_end(text, text.find("\n", end) + 1)
    return end


def parse(text: str) -> Any:
    """Return ``{section: {key: [value, …]}}``; before the first section the name is empty. Raises Refused."""
    rows, ends = _rows(text)
    found: dict[str, dict[str, list[str]]] = {section: {} for section in ends}
    for row in rows:
        found[row.section].setdefault(row.key, []).append(row.value)
    return found


def wanted(old: Any, path: tree.Path, mode: tree.Mode, value: Any) -> Any:
    """Return what the change should make of the tree. Raises Refused."""
    section, key = _place(path)
    values = old.get(section, {}).get(key, [])
    if value is not tree.ABSENT:
        value = _word(value)
    if mode == "set" and len(values) > 1:
        raise refused(
            "{key} stands {count} times in [{section}]; say which one is to be removed first",
            "{key} 在 [{section}] 中出现了 {count} 次；请先说明要删除哪一个",
            key=key,
            section=section,
            count=len(values),
        )
    if mode == "set":
        return tree.changed(old, path, "set", [value])
    new = tree.changed(old, path, mode, value) if mode == "add" or values else old
    if not new.get(section, {}).get(key, [""]):
        new = tree.changed(new, path, "remove", tree.ABSENT)
    return new


def _place(path: tree.Path) -> tuple[str, str]:
    if len(path) != 2:
        raise refused(
            "{at}: in this kind of file a path has two parts, section.key",
            "{at}：这类文件的路径由两部分组成：节.键",
            at=".".join(path),
        )
    return path[0], path[1]


def _word(value: Any) -> str:
    text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    if isinstance(value, (dict, list)) or "\n" in text or "\r" in text or text != text.strip():
        raise refused("the value must be one line of text", "值必须是单行文本")
    return text


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with one change. Raises Refused."""
    section, key = _place(path)
    rows, ends = _rows(text)
    of_key = [row for row in rows if (row.section, row.key) == (section, key)]
    if mode == "remove":
        gone = [row for row in of_key if value is tree.ABSENT or row.value == _word(value)]
        for row in reversed(gone):
            text = text[: row.start] + text[text.find("\n", row.end) + 1 or len(text) :]
        return text
    if mode == "set" and of_key:
        return text[: of_key[0].begin] + _word(value) + text[of_key[0].end :]
    line = brackets.newline(text)
    neighbours = of_key or [row for row in rows if row.section == section] or rows
    between = neighbours[-1].between if neighbours else "="
    entry = f"{key}{between if between.strip() == '=' else '='}{_word(value)}"
    if section in ends:
        at = of_key[-1].end if of_key else ends[section]
        indent = brackets.indent_at(text, of_key[-1].begin) if of_key else ""
        return text[:at] + line + indent + entry + text[at:]
    joint = "" if not text.strip("\ufeff") else line if text.endswith("\n") else line + line
    return f"{text}{joint}[{section}]{line}{entry}{line}"
