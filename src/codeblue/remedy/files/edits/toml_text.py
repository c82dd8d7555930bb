"""TOML (containerd, the NVIDIA runtime, pyproject): one key or one table changes, all else stays as it is."""

import json
from itertools import pairwise
from typing import Any

from codeblue.remedy.files.edits import brackets, tree
from codeblue.remedy.files.edits.json_text import Node
from codeblue.remedy.files.edits.toml_scan import BARE, Statement, loads, statements
from codeblue.remedy.files.edits.toml_scan import value as scanned
from codeblue.remedy.files.refusals import refused


def parse(text: str) -> Any:
    """Return the tree. Raises Refused with the place of the first error."""
    return loads(text)


def dumped(value: Any) -> str:
    """Return a value on one line. Raises Refused for null, which TOML does not have."""
    if value is None:
        raise refused("TOML has no null; remove the key instead", "TOML 没有 null；请改为删除该键")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(name)} = {dumped(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(dumped(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    """Return a part of a key, quoted where it must be."""
    return name if BARE.fullmatch(name) else dumped(name)


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with one change. Raises Refused."""
    rows = statements(text)
    row = next((row for row in rows if row.value and row.path == path), None)
    if row and row.value:
        return _on_value(text, row, row.value, mode, value)
    around = next((row for row in rows if row.value and row.path == path[: len(row.path)]), None)
    if around and around.value:
        return _inline(text, around, around.value, path[len(around.path) :], mode, value)
    if mode == "remove":
        return _without_tables(text, rows, path)
    return _inserted(text, rows, path, [value] if mode == "add" else value)


def _on_value(text: str, row: Statement, node: Node, mode: tree.Mode, value: Any) -> str:
    if mode == "set":
        return text[: node.start] + dumped(value) + text[node.end :]
    if mode == "add":
        return brackets.insert(text, node.inside, node.spans, dumped(value), "")
    if isinstance(value, tree.Absent):
        return _without_lines(text, row)
    for which in reversed(range(len(node.values))):
        item = node.values[which]
        if tree.same(loads(f"x = {text[item.start : item.end]}")["x"], value):
            text = brackets.remove(text, node.inside, node.spans, which)
            node = scanned(text, node.start)
    return text


def _without_lines(text: str, row: Statement) -> str:
    end = brackets.line_end(text, row.end)
    end = text.find("\n", end) + 1 or len(text)
    return text[: row.start] + text[end:]


def _inline(text: str, row: Statement, node: Node, rest: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Change something in a table that stands on one line, or an element of an array."""
    for done, part in enumerate(rest):
        if node.opening == "[":
            node = node.values[tree.index_of(node.values, part)]
            continue
        names = [name for name, _, _ in node.keys]
        if part not in names:
            if node.opening != "{" or mode == "remove":
                raise tree.through_scalar(part)
            new = [value] if mode == "add" else value
            for inner in reversed(rest[done + 1 :]):
                new = {inner: new}
            return brackets.insert(text, node.inside, node.spans, f"{key(part)} = {dumped(new)}", "")
        which = names.index(part)
        if done + 1 == len(rest) and mode == "remove" and isinstance(value, tree.Absent):
            return brackets.remove(text, node.inside, node.spans, which)
        node = node.values[which]
    return _on_value(text, row, node, mode, value)


def _without_tables(text: str, rows: list[Statement], path: tree.Path) -> str:
    for which in reversed(range(len(rows))):
        row = rows[which]
        if row.path[: len(path)] == path:
            text = _without_lines(text, row)
    return text


def _inserted(text: str, rows: list[Statement], path: tree.Path, value: Any) -> str:
    line = brackets.newline(text)
    heads = [row for row in rows if not row.value]
    table = path[:-1]
    head = next((row for row in heads if row.path == table), None)
    entry = f"{key(path[-1])} = {dumped(value)}"
    if head or not table:
        return _into(text, rows, head, entry, line)
    joint = "" if not text or text.endswith(("\n\n", "\r\n\r\n")) else line
    if text and not text.endswith("\n"):
        joint = line + line
    name = ".".join(key(part) for part in table)
    return f"{text}{joint}[{name}]{line}{entry}{line}"


def _into(text: str, rows: list[Statement], head: Statement | None, entry: str, line: str) -> str:
    """Put an entry behind the last one of its table."""
    first = rows.index(head) + 1 if head else 0
    last = head
    for row in rows[first:]:
        if not row.value:
            break
        last = row
    if last is None:
        joint = line if rows else ""
        start = 1 if text.startswith("\ufeff") else 0
        return text[:start] + entry + line + joint + text[start:]
    indent = brackets.indent_at(text, last.key)
    if last is head and rows[first - 2 : first - 1]:
        indent += _deeper(text, rows)
    at = brackets.line_end(text, last.end)
    return text[:at] + line + indent + entry + text[at:]


def _deeper(text: str, rows: list[Statement]) -> str:
    """Return by how much entries are indented under the head of their table."""
    for above, below in pairwise(rows):
        if not above.value and below.value:
            outer = brackets.indent_at(text, above.key)
            return brackets.indent_at(text, below.key).removeprefix(outer)
    return ""
