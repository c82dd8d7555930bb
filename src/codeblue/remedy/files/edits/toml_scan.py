"""Where the statements of a TOML text stand. The text was parsed before, so only the right ones are met."""

import re
import sys
from typing import Any

from msgspec import Struct

from codeblue.remedy.files.edits import brackets, tree
from codeblue.remedy.files.edits.json_text import Node, unreadable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SPACE = re.compile(r"[ \t]*")
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
BARE = re.compile(r"[A-Za-z0-9_-]+")
WORD = re.compile(r"[^\s,\]}#]+(?: \d\d:[\d:.+Zz-]+)?")


class Statement(Struct):
    """``key = value`` or the head of a table."""

    path: tree.Path
    """From the root; of a key the table's path comes first."""
    start: int
    """Where its line begins."""
    end: int
    """Behind the value or the bracket; a comment may follow."""
    key: int
    """Where the key or the bracket begins."""
    value: Node | None = None
    """None for the head of a table."""
    repeated: bool = False
    """Part of an array of tables."""


def loads(text: str) -> dict[str, Any]:
    """Return the tree. Raises Refused with the place of the first error."""
    try:
        parsed: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"at line (\d+), column (\d+)", str(error))
        at = _position(text, int(found.group(1)), int(found.group(2))) if found else len(text)
        raise unreadable(text, at, "TOML") from None
    return parsed


def _position(text: str, line: int, column: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at + column - 1


def statements(text: str) -> list[Statement]:
    """Return the statements in order. Raises Refused if the text is not TOML."""
    found: list[Statement] = []
    table: tree.Path = ()
    repeated = False
    at = _blank(text, 0)
    while at < len(text):
        start = brackets.line_start(text, at)
        if text[at] == "[":
            repeated = text.startswith("[[", at)
            width = 2 if repeated else 1
            table, end = key_path(text, at + width)
            found.append(Statement(table, start, end + width, at, None, repeated))
            at = end + width
        else:
            path, end = key_path(text, at)
            node = value(text, _space(text, end + 1))
            found.append(Statement(table + path, start, node.end, at, node, repeated))
            at = node.end
        at = _blank(text, at)
    return found


def _space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at


def _blank(text: str, at: int) -> int:
    found = BLANK.match(text, at)
    return found.end() if found else at


def key_path(text: str, at: int) -> tuple[tree.Path, int]:
    """Return a dotted key and where it ends, white space included. Raises Refused."""
    parts: list[str] = []
    while True:
        at = _space(text, at)
        found = STRING.match(text, at) or BARE.match(text, at)
        if not found:
            raise unreadable(text, at, "TOML")
        word = found.group()
        parts.append(str(tomllib.loads(f"x = {word}")["x"]) if word[0] in "\"'" else word)
        at = _space(text, found.end())
        if text[at : at + 1] != ".":
            return tuple(parts), at
        at += 1


def value(text: str, at: int) -> Node:
    """Return the nodes of a value. Raises Refused."""
    if text[at : at + 1] not in ("[", "{"):
        found = STRING.match(text, at) or WORD.match(text, at)
        if not found:
            raise unreadable(text, at, "TOML")
        return Node(at, found.end())
    node = Node(at, opening=text[at], keys=[], values=[])
    closing = "}" if node.opening == "{" else "]"
    at = _blank(text, at + 1)
    while text[at : at + 1] != closing:
        if node.opening == "{":
            path, end = key_path(text, at)
            node.keys.append((".".join(path) if len(path) == 1 else "", at, end))
            at = _space(text, end + 1)
        node.values.append(value(text, at))
        at = _blank(text, node.values[-1].end)
        at = _blank(text, at + 1) if text[at : at + 1] == "," else at
        if at >= len(text):
            raise unreadable(text, at, "TOML")
    node.end = at + 1
    return node
