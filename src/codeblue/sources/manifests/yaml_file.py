"""YAML with the lines of its values. Nothing is constructed: scalars stay the text that was written.

``python: 3.10`` would otherwise become the number 3.1, and a tag could name a type to build.
"""

from __future__ import annotations

from typing import NoReturn

import yaml
from msgspec import Struct

from codeblue.sources.manifests.files import File, refuse

MOST = 2_000_000
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
        return _Tree(file).node(root, 0) if root is not None else NOTHING
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
        self._left = MOST

    def node(self, node: yaml.Node, depth: int) -> Node:
        line = node.start_mark.line + 1
        self._left -= 1
        if depth > DEEP or self._left < 0:
            refuse(
                self._file.place(line),
                "nested too deeply, or aliases that grow beyond reason; write the file without them",
                "嵌套过深，或别名展开后过大；请不用别名重写该文件",
            )
        if isinstance(node, yaml.MappingNode):
            pairs = ((key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode))
            return Node({str(key.value): self.node(value, depth + 1) for key, value in pairs}, line)
        if isinstance(node, yaml.SequenceNode):
            return Node([self.node(row, depth + 1) for row in node.value], line)
        return Node(str(node.value), line)
