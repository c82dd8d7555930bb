"""The tree of a YAML, JSON or TOML file, with the place of every key and value."""

from collections.abc import Iterator

from codeblue.model.config.place import Place, Source

Step = str | int


class Node:
    """A value of a tree.

    ``kind`` is ``map``, ``list``, ``string``, ``integer``, ``float``, ``boolean`` or ``null``; ``text`` is
    what a scalar says, without quotes.
    """

    __slots__ = ("items", "kind", "pairs", "place", "style", "text", "written")

    def __init__(self, kind: str, place: Place, text: str = "", style: str = "") -> None:
        self.kind = kind
        self.place = place
        self.text = text
        self.style = style
        """How a scalar is written: ``'``, ``"``, ``|``, ``>`` or empty for plain."""
        self.pairs: list[tuple[Node, Node]] = []
        self.items: list[Node] = []
        self.written: tuple[Source, int, int] | None = None
        """The text that a scalar stands in, and from and up to where, quotes included."""

    @property
    def source(self) -> Source | None:
        """The text of a scalar with the places of its characters, for what is written inside."""
        return inside(*self.written, self.text, self.style) if self.written else None

    def get(self, *path: Step) -> "Node | None":
        """Return what stands below, followed by keys and positions; None if there is no such thing."""
        node: Node | None = self
        for step in path:
            if node is None:
                return None
            node = node._at(step) if isinstance(step, int) else node._value(step)
        return node

    def _value(self, key: str) -> "Node | None":
        """Return the value of a key; of the last one, where it stands twice, as programs do."""
        return next((value for name, value in reversed(self.pairs) if name.text == key), None)

    def _at(self, position: int) -> "Node | None":
        return self.items[position] if -len(self.items) <= position < len(self.items) else None

    def key(self, name: str) -> "Node | None":
        """Return the node of a key itself."""
        return next((key for key, _ in reversed(self.pairs) if key.text == name), None)

    def say(self, *path: Step) -> str:
        """Return the text of the scalar there; empty if there is none."""
        node = self.get(*path)
        return node.text if node is not None and node.kind not in ("map", "list") else ""

    def each(self, *path: Step) -> "list[Node]":
        """Return the elements of the list there; none if there is no list."""
        node = self.get(*path)
        return node.items if node is not None else []

    def keys(self) -> list[str]:
        """Return the names of a map."""
        return [key.text for key, _ in self.pairs]

    def walk(self, most: int = 200_000) -> "Iterator[Node]":
        """Yield this node and all below it, parents first; a node that is used again is met once."""
        stack, seen = [self], {id(self)}
        while stack and len(seen) <= most:
            node = stack.pop()
            yield node
            below = [value for _, value in node.pairs] + node.items
            for child in reversed(below):
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append(child)

    @property
    def plain(self) -> object:
        """The tree as Python's own values, for tables and tests; shared parts are copied."""
        if self.kind == "map":
            return {key.text: value.plain for key, value in self.pairs}
        if self.kind == "list":
            return [item.plain for item in self.items]
        return None if self.kind == "null" else self.text


def inside(source: Source, start: int, end: int, text: str, style: str) -> Source:
    """Return the text of a scalar as a source of its own, placed as far as that can be told."""
    if style in ("|", ">"):
        return _block(source, start, end, text, style)
    at = start + (1 if style else 0)
    exact = source.exact and source.text.startswith(text, at)
    return Source(source.name, text, [(0, *source.point(at))], exact=exact)


def _block(source: Source, start: int, end: int, text: str, style: str) -> Source:
    """Return a literal block line by line; a folded one is placed by its first line only."""
    head = source.text.find("\n", start) + 1
    raw = source.text[head:end].split("\n")
    indent = min((len(line) - len(line.lstrip(" ")) for line in raw if line.strip()), default=0)
    marks, offset, at = [], 0, head
    for line in raw:
        row, column = source.point(at)
        marks.append((offset, row, column + indent))
        offset += max(0, len(line) - indent) + 1
        at += len(line) + 1
    if style == ">":
        return Source(source.name, text, marks[:1], exact=False)
    return Source(source.name, text, marks)
