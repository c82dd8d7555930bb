"""YAML to nodes. Built from the parser's events, so that depth and aliases cost nothing."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from codeblue.model.config.node import Node
from codeblue.model.config.place import Place, Source
from codeblue.model.text import Message, message
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.config.yaml_errors import explained
from codeblue.sources.config.yaml_slips import Complaint

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 200
MERGED = 200_000
"""Keys that ``<<`` may bring into the maps of a file; each is copied."""
NULL = ("", "~", "null", "Null", "NULL")
BOOLEAN = re.compile(r"(?:true|false|yes|no|on|off)$", re.IGNORECASE)
INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)$")
FLOAT = re.compile(
    r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9_]+|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?$|[-+]?\.(?:inf|nan)$"
)
TEMPLATE = re.compile(
    r"^[ \t]*(?:- )?\{\{[-~]?|\{%[-+]? |"
    r"[:-] \{\{-? *(?:[.$]|(?:include|template|tpl|toYaml|default|printf|quote) )",
    re.MULTILINE,
)
"""Lines that begin with what Helm or Jinja fills in, statements of Jinja, and values that Helm fills in."""


def documents(source: Source) -> Iterator[Node]:
    """Yield the roots of the documents that are not empty.

    Raises Broken, behind the documents before it, and Template if it is not YAML before it was rendered.
    """
    reader = _Reader(source)
    try:
        for event in yaml.parse(source.text, Loader=LOADER):
            root = reader.take(event)
            if root is not None:
                yield root
    except yaml.MarkedYAMLError as error:
        if TEMPLATE.search(source.text):
            raise Template(RENDER) from None
        raise _broken(source, error) from None
    except yaml.reader.ReaderError:
        # Its own position counts bytes or characters, as the parser that is installed does.
        found = yaml.reader.Reader.NON_PRINTABLE.search(source.text)
        at = found.start() if found else 0
        raise Broken(
            source.place(at, at + 1),
            message("this character is not allowed in YAML", "YAML 不允许这个字符"),
        ) from None


RENDER: Message = message(
    "a template: render it first, as `helm template … | codeblue lint -`",
    "这是模板：请先渲染，例如 `helm template … | codeblue lint -`",
)


def _broken(source: Source, error: yaml.MarkedYAMLError) -> Broken:
    mark = error.problem_mark or error.context_mark
    begin = error.context_mark or mark
    said = Complaint(
        problem=error.problem or "",
        offset=min(mark.index, len(source.text)) if mark else 0,
        context=error.context or "",
        begin=min(begin.index, len(source.text)) if begin else 0,
    )
    start, end, why, fix = explained(source.text, said)
    # Edits are at lines of the whole file; a text inside of another file has other lines.
    is_whole = source.point(0) == (1, 1)
    return Broken(source.place(start, end), why, fix if is_whole else None)


class _Reader:
    """Puts nodes together from events."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stack: list[Node] = []
        self._keys: list[Node | None] = []
        self._merges: list[list[Node]] = []
        """What ``<<`` brings into each open node, taken over at its end, when its own keys are known."""
        self._room = MERGED
        self._anchors: dict[str, Node] = {}
        self._root: Node | None = None

    def take(self, event: Any) -> Node | None:
        """Take one event; return the root of a document at its end."""
        if isinstance(event, yaml.ScalarEvent):
            self._add(self._scalar(event), event.anchor)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._open(event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            node = self._stack.pop()
            self._keys.pop()
            for table in self._merges.pop():
                self._merge(node, table)
        elif isinstance(event, yaml.AliasEvent):
            self._add(self._anchors.get(event.anchor or "") or Node("null", self._place(event)), None)
        elif isinstance(event, yaml.DocumentEndEvent):
            root, self._root = self._root, None
            self._anchors = {}
            return root if root is not None and root.kind != "null" else None
        return None

    def _open(self, event: Any) -> None:
        if len(self._stack) >= DEEPEST:
            place = self._place(event)
            raise Broken(
                place, message("nested more than {most} levels deep", "嵌套超过 {most} 层", most=DEEPEST)
            )
        kind = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
        if kind == "map" and self._stack and self._stack[-1].style == "flow" and self._awaits_key():
            raise Template(RENDER)  # two brackets: nobody means a map as a key
        node = Node(kind, self._place(event), style="flow" if event.flow_style else "")
        self._add(node, event.anchor)
        self._stack.append(node)
        self._keys.append(None)
        self._merges.append([])

    def _awaits_key(self) -> bool:
        return self._stack[-1].kind == "map" and self._keys[-1] is None

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor:
            self._anchors[anchor] = node
        if not self._stack:
            self._root = node
            return
        parent = self._stack[-1]
        if parent.kind == "list":
            parent.items.append(node)
        elif (key := self._keys[-1]) is None:
            self._keys[-1] = node
        else:
            self._keys[-1] = None
            if key.text == "<<" and not key.style:
                self._merges[-1].append(node)
            else:
                parent.pairs.append((key, node))

    def _merge(self, parent: Node, merged: Node) -> None:
        """Take over what a ``<<`` brings; what the map says itself counts more, then what comes first."""
        own = {key.text for key, _ in parent.pairs}
        for table in merged.items if merged.kind == "list" else [merged]:
            self._room -= len(table.pairs)
            if self._room < 0:
                raise Broken(
                    parent.place,
                    message("`<<` brings more than {most} keys", "`<<` 带入超过 {most} 个键", most=MERGED),
                )
            parent.pairs[:0] = [pair for pair in table.pairs if pair[0].text not in own]
            own |= {key.text for key, _ in table.pairs}

    def _scalar(self, event: Any) -> Node:
        style = event.style or ""
        plain = not style and event.tag is None
        node = Node(_kind(event.value) if plain else "string", self._place(event), event.value, style)
        node.written = (self._source, event.start_mark.index, event.end_mark.index)
        return node

    def _place(self, event: Any) -> Place:
        start, end = event.start_mark, event.end_mark
        if self._source.whole:  # the parser has counted already
            return Place(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
        return self._source.place(start.index, max(start.index, end.index))


def _kind(text: str) -> str:
    if text in NULL:
        return "null"
    if BOOLEAN.match(text):
        return "boolean"
    if INTEGER.match(text):
        return "integer"
    return "float" if FLOAT.match(text) else "string"
