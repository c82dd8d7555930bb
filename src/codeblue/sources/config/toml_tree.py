"""TOML to nodes: the parser of the standard library judges, a scanner tells the places."""

import re
import sys
from typing import Any

from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.text import Message, message
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.lines import refuse_template

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
SPACE = re.compile(r"[ \t]*")
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
BARE = re.compile(r"[A-Za-z0-9_-]+")
WORD = re.compile(r"[^\s,\]}#]+(?: \d\d:[\d:.+Zz-]+)?")
WHERE = re.compile(r"\(at line (\d+), column (\d+)\)")


def root(source: Source) -> Node | None:
    """Return the root table; None for a file that says nothing.

    Raises Broken with the place, and Template.
    """
    try:
        tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        refuse_template(source)
        raise _broken(source, str(error)) from None
    reader = _Reader(source)
    reader.read()
    return reader.root if reader.root.pairs else None


class _Reader:
    """Walks over a text that is known to be right."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self.root = Node("map", source.place(0, 0))
        self._table = self.root

    def read(self) -> None:
        at = self._blank(0)
        while at < len(self._text):
            at = self._head(at) if self._text[at] == "[" else self._pair(at, self._table)
            at = self._blank(at)

    def _head(self, at: int) -> int:
        width = 2 if self._text.startswith("[[", at) else 1
        keys, end = self._path(at + width)
        table = self.root
        for key in keys[:-1]:
            table = self._below(table, key)
        self._table = self._element(table, keys[-1]) if width == 2 else self._below(table, keys[-1])
        return end + width

    def _below(self, table: Node, key: Node) -> Node:
        found = table.get(key.text)
        if found is None:
            found = Node("map", key.place)
            table.pairs.append((key, found))
        return found.items[-1] if found.kind == "list" else found

    def _element(self, table: Node, key: Node) -> Node:
        found = table.get(key.text)
        if found is None:
            found = Node("list", key.place)
            table.pairs.append((key, found))
        found.items.append(Node("map", key.place))
        return found.items[-1]

    def _pair(self, at: int, table: Node) -> int:
        keys, end = self._path(at)
        for key in keys[:-1]:
            table = self._below(table, key)
        value, end = self._value(self._space(end + 1))
        table.pairs.append((keys[-1], value))
        return end

    def _path(self, at: int) -> tuple[list[Node], int]:
        keys: list[Node] = []
        while True:
            at = self._space(at)
            found = STRING.match(self._text, at) or BARE.match(self._text, at)
            assert found is not None  # the parser has read it
            text = str(_said(found.group())) if found.group()[0] in "\"'" else found.group()
            keys.append(Node("string", self._source.place(at, found.end()), text))
            at = self._space(found.end())
            if self._text[at : at + 1] != ".":
                return keys, at
            at += 1

    def _value(self, at: int) -> tuple[Node, int]:
        if self._text[at] == "[":
            return self._list(at)
        if self._text[at] == "{":
            return self._inline(at)
        found = STRING.match(self._text, at) or WORD.match(self._text, at)
        assert found is not None  # the parser has read it
        return _scalar(found.group(), self._source, at), found.end()

    def _list(self, start: int) -> tuple[Node, int]:
        items: list[Node] = []
        at = self._blank(start + 1)
        while self._text[at] != "]":
            item, at = self._value(at)
            items.append(item)
            at = self._blank(at)
            at = self._blank(at + 1) if self._text[at] == "," else at
        node = Node("list", self._source.place(start, at + 1), style="flow")
        node.items = items
        return node, at + 1

    def _inline(self, start: int) -> tuple[Node, int]:
        node = Node("map", self._source.place(start, start + 1), style="flow")
        at = self._blank(start + 1)
        while self._text[at] != "}":
            at = self._blank(self._pair(at, node))
            at = self._blank(at + 1) if self._text[at] == "," else at
        node.place = self._source.place(start, at + 1)
        return node, at + 1

    def _blank(self, at: int) -> int:
        found = BLANK.match(self._text, at)
        return found.end() if found else at

    def _space(self, at: int) -> int:
        found = SPACE.match(self._text, at)
        return found.end() if found else at


def _scalar(raw: str, source: Source, at: int) -> Node:
    place = source.place(at, at + len(raw))
    if raw[0] in "\"'":
        return Node("string", place, str(_said(raw)), raw[0])
    kind = "boolean" if raw in ("true", "false") else "integer" if isinstance(_said(raw), int) else "float"
    return Node(kind, place, raw)


def _said(raw: str) -> Any:
    return tomllib.loads(f"x = {raw}")["x"]


def _broken(source: Source, error: str) -> Broken:
    found = WHERE.search(error)
    lines = source.text.split("\n")
    line = min(int(found[1]), len(lines)) if found else len(lines)
    column = int(found[2]) if found else len(lines[-1]) + 1
    at = sum(len(one) + 1 for one in lines[: line - 1]) + column - 1
    text = lines[line - 1]
    end = min(at + 1, len(source.text))
    place = source.place(min(at, end), end)
    return Broken(place, _words(text, column - 1, error))


def _words(line: str, at: int, error: str) -> Message:
    """Return what is wrong in the words of somebody who looks at the line."""
    what = error.split(" (at ", 1)[0]
    if "Cannot overwrite" in what or "twice" in what or "Cannot declare" in what:
        return message("this key or table stands in the file twice", "这个键或表在文件中出现了两次")
    if what == "Invalid value" and re.match(r"[A-Za-z/@~.]", line[at:]):
        return message("a text has to stand in quotes", "字符串必须加引号")
    if "Expected '='" in what:
        return message("there is no = behind the key", "键后面缺少 =")
    if "newline or end of document" in what:
        return message("the line goes on behind its value", "值后面还有多余的内容")
    if re.search(r"[\u201c\u201d\u2018\u2019]", line):
        return message("typographic quotes; TOML wants \" or '", "用了弯引号；TOML 只认 \" 或 '")
    return message("not TOML: {why}", "不是合法的 TOML：{why}", why=what[:80])
