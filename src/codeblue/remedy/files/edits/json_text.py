"""JSON: an own scanner that says where every key and value stands; the rest of the text is never touched."""

import json
import re
from typing import Any

from msgspec import Struct

from codeblue.remedy.files.edits import brackets, tree
from codeblue.remedy.files.refusals import refused

SPACE = re.compile(r"[ \t\r\n\ufeff]*")
SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null')
STRAY = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=[ \t\r\n]*[}\]])')
"""A string, which is left alone, or a comma before a closing bracket."""
DEEPEST = 64


class Node(Struct):
    """A value and where it stands."""

    start: int
    end: int = 0
    keys: list[tuple[str, int, int]] = []
    """Of an object: name, start and end of each key, in the order of ``values``."""
    values: list["Node"] = []
    opening: str = ""

    @property
    def inside(self) -> brackets.Span:
        """What stands between its brackets."""
        return self.start + 1, self.end - 1

    @property
    def spans(self) -> list[brackets.Span]:
        """Where its members or elements stand, keys included."""
        if self.opening == "{":
            return [(key[1], value.end) for key, value in zip(self.keys, self.values, strict=True)]
        return [(value.start, value.end) for value in self.values]


def unreadable(text: str, at: int, kind: str) -> Exception:
    """Return the refusal of a text that does not follow its format, with the place."""
    line = text.count("\n", 0, at) + 1
    return refused(
        "line {line}, column {column}: this is not {kind}; correct the file first",
        "第 {line} 行第 {column} 列：不符合 {kind} 格式；请先修正该文件",
        line=line,
        column=at - brackets.line_start(text, at) + 1,
        kind=kind,
    )


def scan(text: str) -> Node:
    """Return the nodes of a JSON text. Raises Refused with the place of the first error."""
    node, at = _value(text, _skip(text, 0), 0)
    if (rest := _skip(text, at)) < len(text):
        raise unreadable(text, rest, "JSON")
    return node


def _skip(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> tuple[Node, int]:
    if depth > DEEPEST:
        raise unreadable(text, at, "JSON")
    if text[at : at + 1] in ("{", "["):
        return _collection(text, at, depth)
    found = SCALAR.match(text, at)
    if not found:
        raise unreadable(text, at, "JSON")
    return Node(at, found.end()), found.end()


def _collection(text: str, start: int, depth: int) -> tuple[Node, int]:
    node = Node(start, opening=text[start], keys=[], values=[])
    closing = "}" if node.opening == "{" else "]"
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing or node.values:
        if node.opening == "{":
            at = _key(text, at, node)
        value, at = _value(text, at, depth + 1)
        node.values.append(value)
        at = _skip(text, at)
        if text[at : at + 1] == closing:
            break
        if text[at : at + 1] != ",":
            raise unreadable(text, at, "JSON")
        at = _skip(text, at + 1)
    node.end = at + 1
    return node, node.end


def _key(text: str, at: int, node: Node) -> int:
    found = SCALAR.match(text, at)
    if not found or text[at] != '"':
        raise unreadable(text, at, "JSON")
    try:
        node.keys.append((json.loads(found.group()), at, found.end()))
    except ValueError:
        raise unreadable(text, at, "JSON") from None
    at = _skip(text, found.end())
    if text[at : at + 1] != ":":
        raise unreadable(text, at, "JSON")
    return _skip(text, at + 1)


def parse(text: str) -> Any:
    """Return the tree. Raises Refused for broken JSON and for keys that stand twice.

    An empty file is an empty object.
    """
    if not text.strip(" \t\r\n\ufeff"):
        return {}
    root = scan(text)
    _refuse_twice(text, root)
    try:
        return json.loads(text.lstrip("\ufeff"))
    except ValueError as error:
        raise unreadable(text, getattr(error, "pos", 0), "JSON") from None


def _refuse_twice(text: str, node: Node) -> None:
    lines: dict[str, int] = {}
    for name, start, _ in node.keys:
        line = text.count("\n", 0, start) + 1
        if name in lines:
            raise refused(
                "the key {name} stands twice, in lines {first} and {second}; remove the wrong one",
                "键 {name} 出现了两次（第 {first} 行和第 {second} 行）；请删除错误的那一个",
                name=name,
                first=lines[name],
                second=line,
            )
        lines[name] = line
    for value in node.values:
        _refuse_twice(text, value)


def mended(text: str) -> str:
    """Return the text without commas before closing brackets. Raises Refused if more than that is wrong."""
    text = STRAY.sub(lambda found: found.group(1) or "", text)
    parse(text)
    return text


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with one change. Raises Refused."""
    if not text.strip(" \t\r\n\ufeff"):
        text = text.rstrip(" \t\r\n") + "{" + brackets.newline(text) + "}" + brackets.newline(text)
    root = scan(text)
    unit = _unit(text, root)
    holder, rest = _walk(root, path)
    if rest:
        return _grown(text, holder, rest, [value] if mode == "add" else value, unit)
    if mode == "set":
        new = brackets.dumped(value, text, brackets.indent_at(text, holder.start), unit)
        return text[: holder.start] + new + text[holder.end :]
    if mode == "add":
        return _added(text, holder, value, unit)
    if isinstance(value, tree.Absent):
        parent, _ = _walk(root, path[:-1])
        return brackets.remove(text, parent.inside, parent.spans, parent.values.index(holder))
    return _without(text, holder, value)


def _walk(node: Node, path: tree.Path) -> tuple[Node, tree.Path]:
    """Follow a path as far as it exists; return the last node and the rest of the path."""
    for done, part in enumerate(path):
        if node.opening == "{":
            names = [key[0] for key in node.keys]
            if part not in names:
                return node, path[done:]
            node = node.values[names.index(part)]
        elif node.opening == "[":
            node = node.values[tree.index_of(node.values, part)]
        else:
            raise tree.through_scalar(part)
    return node, ()


def _grown(text: str, holder: Node, rest: tree.Path, value: Any, unit: str) -> str:
    for part in reversed(rest[1:]):
        value = {part: value}
    colon = ": "
    if holder.keys:
        colon = text[holder.keys[-1][2] : holder.values[-1].start]
        colon = colon if "\n" not in colon else ": "
    spans = holder.spans
    lone = not spans or brackets.own_line(text, spans[-1][0])
    indent = (
        brackets.indent_at(text, spans[-1][0]) if spans else brackets.indent_at(text, holder.start) + unit
    )
    new = brackets.dumped(value, text, indent, unit if lone else "")
    return brackets.insert(
        text, holder.inside, spans, json.dumps(rest[0], ensure_ascii=False) + colon + new, unit
    )


def _added(text: str, holder: Node, value: Any, unit: str) -> str:
    spans = holder.spans
    lone = bool(spans) and brackets.own_line(text, spans[-1][0])
    new = brackets.dumped(
        value, text, brackets.indent_at(text, spans[-1][0]) if spans else "", unit if lone else ""
    )
    return brackets.insert(text, holder.inside, spans, new, "")


def _without(text: str, holder: Node, value: Any) -> str:
    for which in reversed(range(len(holder.values))):
        found = holder.values[which]
        if tree.same(json.loads(text[found.start : found.end]), value):
            text = brackets.remove(text, holder.inside, holder.spans, which)
            holder, _ = _value(text, holder.start, 0)
    return text


def _unit(text: str, root: Node) -> str:
    """Return one step of indentation as the text has it; empty if all stands on one line."""
    if "\n" not in text.strip():
        return "" if root.values else "    "
    for span in root.spans:
        if brackets.own_line(text, span[0]) and (unit := brackets.indent_at(text, span[0])):
            return unit
    return "    "
