"""The tree of a YAML, JSON or TOML file, with the place of every key and value."""

from collections.abc import Callable, Iterator

from codeblue.model.config.place import Place, Source

Step = str | int


class Node:
    """A value of a tree.

    ``kind`` is ``map``, ``list``, ``string``, ``integer``, ``float``, ``boolean`` or ``null``; ``text`` is
    what a scalar says, without quotes. ``source`` is that text with its places, for what is written inside.
    """

    __slots__ = ("_source", "items", "kind", "pairs", "place", "style", "text")

    def __init__(self, kind: str, place: Place, text: str = "", style: str = "") -> None:
        self.kind = kind
        self.place = place
        self.text = text
        self.style = style
        """How a scalar is written: ``'``, ``"``, ``|``, ``>`` or empty for plain."""
        self.pairs: list[tuple[Node, Node]] = []
        self.items: list[Node] = []
        self._source: Source | Callable[[], Source] | None = None

    @property
    def source(self) -> Source | None:
        """The text of a scalar with its places; made when it is first asked for, since few are."""
        if callable(self._source):
            self._source = self._source()
        return self._source

    @source.setter
    def source(self, source: "Source | Callable[[], Source] | None") -> None:
        self._source = source

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
