"""Moving a block of lines to the left or right, if that puts the object right."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from codeblue.lint.rules.kubernetes.schema.belongs import Above, Below
from codeblue.lint.rules.kubernetes.schema.walk import Level, Missing, Unfit, Unknown, walked
from codeblue.model.config.kubernetes import Manifest
from codeblue.model.config.node import Node
from codeblue.model.config.place import Place, Source
from codeblue.model.lint import Edit, Fix
from codeblue.model.text import Message, message
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.broken import Broken, Template

LARGEST = 4000
"""Lines of an object that is read again to try a move."""
TRIED = 8
"""Moves that are tried for one manifest."""
KEY = re.compile(r"""["']?([\w./-]+)["']?\s*:(?:\s|$)""")


class Move(NamedTuple):
    """Lines that go to another column."""

    first: int
    """Counted from 1, as ``last``, which moves too."""
    last: int
    columns: int
    """To the right; negative to the left."""


class Mover:
    """Tries moves in one manifest; each reads the object anew, so only a few are tried."""

    def __init__(self, manifest: Manifest) -> None:
        self._lines = manifest.source.text.split("\n") if manifest.source is not None else []
        self._left = TRIED

    def moved(self, found: Unknown, home: Above | Below) -> tuple[int, Fix] | None:
        """Return how far to the right a field has to move to be valid, and the fix that moves it.

        Negative is to the left. None if no move makes it valid, or if one makes something else invalid.
        """
        offset = _offset(found, home)
        if not offset or not self._lines or not self._left:
            return None
        lines, key, top = self._lines, found.key.place, found.trail[0].node.place
        end = _end(lines, top)
        if end - top.line > LARGEST or lines[key.line - 1][: key.column - 1].strip(" "):
            return None
        self._left -= 1
        there = home.home.type.fields.keys() if isinstance(home, Above) else {home.route[-1]}
        along = there - found.trail[-1].type.fields.keys()
        move = Move(key.line, _block(lines, key.line, key.column, along.__contains__), offset)
        if not _helps(lines[: end - 1], found.trail[0], move):
            return None
        return offset, Fix(_summary(move), tuple(_edits(lines, move)))


def _offset(found: Unknown, home: Above | Below) -> int | None:
    """Return how far a key is from the column where it belongs; None if it is no matter of columns."""
    key = found.key.place.column
    if isinstance(home, Above):
        own = _first(home.home.node)
        return own.column - key if own and own.column < key else None
    beside = _before(found)
    if len(home.route) != 2 or home.start is not found.trail[-1] or beside is None:
        return None
    name, value = beside
    if name.text != home.route[0].removesuffix("[]"):
        return None
    if value.kind == "null":
        return 2
    inner = value.items[-1] if value.kind == "list" and value.items else value
    own = _first(inner) if inner.kind == "map" and inner.style != "flow" else None
    return own.column - key if own and own.column > key else None


def _summary(move: Move) -> Message:
    return message(
        "move lines {first} to {last} {count} column(s) to the {side}",
        "把第 {first} 至 {last} 行向{side_zh}移 {count} 列",
        first=move.first,
        last=move.last,
        count=abs(move.columns),
        side="left" if move.columns < 0 else "right",
        side_zh="左" if move.columns < 0 else "右",
    )


def _first(node: Node) -> Place | None:
    """Return the place of a map's first own key; what a ``<<`` brings stands before the map."""
    return next((key.place for key, _ in node.pairs if key.place >= node.place.start), None)


def _before(found: Unknown) -> tuple[Node, Node] | None:
    """Return the field that stands just before in the same object."""
    pairs = found.trail[-1].node.pairs
    at = next((n for n, (key, _) in enumerate(pairs) if key is found.key), 0)
    return pairs[at - 1] if at else None


def _end(lines: Sequence[str], top: Place) -> int:
    """Return the line behind an object that begins at a place."""
    for number in range(top.line, len(lines)):
        line = lines[number]
        if line.startswith(("---", "...")):
            return number + 1
        text = line.lstrip(" ")
        if text and text[0] != "#" and len(line) - len(text) < top.column - 1:
            return number + 1
    return len(lines) + 1


def _block(lines: Sequence[str], number: int, column: int, goes_along: Callable[[str], bool]) -> int:
    """Return the last line of a key's block, and of the keys behind it that belong to the same place."""
    last = number
    for at in range(number, len(lines)):
        line = lines[at]
        text = line.lstrip(" ")
        indent = len(line) - len(text) + 1
        if not text or (text[0] == "#" and indent <= column):
            continue
        key = KEY.match(text)
        if indent > column or (indent == column and (text.startswith("- ") or (key and goes_along(key[1])))):
            last = at + 1
        else:
            break
    return last


def _edits(lines: Sequence[str], move: Move) -> Iterator[Edit]:
    for number in range(move.first, move.last + 1):
        if not lines[number - 1].strip():
            continue
        if move.columns > 0:
            yield Edit(Place(number, 1, number, 1), " " * move.columns)
        else:
            yield Edit(Place(number, 1, number, 1 - move.columns), "")


def _helps(lines: Sequence[str], whole: Level, move: Move) -> bool:
    """Tell whether an object has fewer fields out of place after a move, and nothing new is wrong."""
    top = whole.node.place
    tried = [" " * (top.column - 1) + lines[top.line - 1][top.column - 1 :], *lines[top.line :]]
    for number in range(move.first - top.line, move.last - top.line + 1):
        line = tried[number]
        if move.columns > 0:
            tried[number] = " " * move.columns + line if line.strip() else line
        elif line[: -move.columns].strip(" "):
            return False
        else:
            tried[number] = line[-move.columns :]
    # So that the places are those of the file.
    source = Source("", "\n" * (top.line - 1) + "\n".join(tried))
    try:
        root = next(yaml_tree.documents(source), None)
    except (Broken, Template):
        return False
    if root is None or root.kind != "map":
        return False
    before, after = (_faults(node, whole.type.name, move) for node in (whole.node, root))
    return after[0] < before[0] and after[1] <= before[1]


def _faults(root: Node, whole: str, move: Move) -> tuple[int, int]:
    """Count the fields out of place, and what else is wrong outside of the lines of a move."""
    unknown = others = 0
    for one in walked(root, whole):
        unknown += isinstance(one, Unknown)
        if isinstance(one, Unfit):
            others += not move.first <= one.value.place.line <= move.last
        others += isinstance(one, Missing)
    return unknown, others
