"""YAML with the lines of its values. Nothing is constructed: scalars stay the text that was written.

``python: 3.10`` would otherwise become the number 3.1, and a tag could name a type to build.
"""

from __future__ import annotations

from typing import NoReturn

import yaml
from msgspec import Struct

from codeblue.sources.manifests.files import File, refuse

MOST = 500_000
"""Nodes with every alias written out."""
DEEP = 50
"""Levels inside of each other."""
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""libyaml where PyYAML was built with it."""


class Node(Struct, frozen=True):
    """One value of a document."""

    value: str | list[Node] | dict[str, Node]
    line: int
    """Counted from 1."""

    def get(self, *keys: str) -> Node:
        """Return what is below the keys; an empty text where there is nothing."""
        node = self
        for key in keys:
            node = node.value.get(key, NOTHING) if isinstance(node.value, dict) else NOTHING
        return node

    @property
    def text(self) -> str:
        """The text of a scalar; empty for any other value."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def rows(self) -> list[Node]:
        """The values of a list; none of any other value."""
        return self.value if isinstance(self.value, list) else []

    @property
    def items(self) -> list[tuple[str, Node]]:
        """The pairs of a mapping; none of any other value."""
        return list(self.value.items()) if isinstance(self.value, dict) else []


NOTHING = Node("", 1)


def loaded(file: File) -> Node:
    """Return the only document of a file. Raises Unusable with line and column."""
    try:
        root = yaml.compose(file.text, Loader=LOADER)
        return _Tree(file).node(root) if root is not None else NOTHING
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{file.name}:{mark.line + 1}:{mark.column + 1}" if mark else file.name
        _refuse(place, error.problem or str(error))
    except yaml.reader.ReaderError as error:
        _refuse(file.place(file.text.count("\n", 0, error.position) + 1), error.reason)
    except RecursionError:
        _refuse(file.name, "nested too deeply")


def _refuse(place: str, why: str) -> NoReturn:
    refuse(
        place,
        "not valid YAML: {why}; correct this line or write the file anew",
        "不是合法的 YAML：{why}；请改正这一行，或重新生成该文件",
        why=why,
    )


class _Tree:
    """Writes the nodes of one document out, aliases included, as far as they are bounded."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._sizes: dict[int, int] = {}

    def node(self, root: yaml.Node) -> Node:
        self._size(root, 0)
        return self._written(root)

    def _size(self, node: yaml.Node, depth: int) -> int:
        """Return the number of nodes, each alias counted in full: before any of them is written out."""
        known = self._sizes.get(id(node))
        if known is None:
            inner = (self._size(value, depth + 1) for _, value in _pairs(node))
            known = 1 + sum(inner) if depth < DEEP else MOST
            self._sizes[id(node)] = known
        if known >= MOST:
            refuse(
                self._file.place(node.start_mark.line + 1),
                "too large, nested too deeply, or aliases that grow beyond reason; write it without them",
                "过大、嵌套过深，或别名展开后过大；请不用别名重写该文件",
            )
        return known

    def _written(self, node: yaml.Node) -> Node:
        line = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            return Node({key: self._written(value) for key, value in _pairs(node)}, line)
        if isinstance(node, yaml.SequenceNode):
            return Node([self._written(value) for _, value in _pairs(node)], line)
        return Node(str(node.value), line)


def _pairs(node: yaml.Node) -> list[tuple[str, yaml.Node]]:
    """Return what is directly below a node; values of a list have no names."""
    if isinstance(node, yaml.MappingNode):
        return [(str(key.value), value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]
    return [("", value) for value in node.value] if isinstance(node, yaml.SequenceNode) else []
