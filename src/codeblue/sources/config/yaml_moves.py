"""Moving a block of lines that broke a YAML file back to its column, if the file is whole again then."""

from collections.abc import Iterator
from typing import Any

import yaml

from codeblue.model.config.place import Place
from codeblue.model.lint import Edit, Fix
from codeblue.model.text import message

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LARGEST = 200_000
"""Characters of a file that is read again to try a move."""


def back(text: str, line: int, columns: int) -> Fix | None:
    """Return the move of a line, and of what is inside of its block, by some columns to the right.

    ``line`` counts from 0; negative columns are to the left. None if no such move makes the text valid.
    """
    if len(text) > LARGEST:
        return None
    lines = text.split("\n")
    for last in dict.fromkeys((_last(lines, line, columns), _last(lines, line, 0), line)):
        moved = list(lines)
        for at in range(line, last + 1):
            if lines[at].strip():
                moved[at] = " " * columns + lines[at] if columns > 0 else lines[at][-columns:]
        if _is_valid("\n".join(moved)):
            edits = tuple(_edits(lines, line, last, columns))
            return Fix(
                message(
                    "move lines {first} to {last} {count} column(s) to the {side}",
                    "把第 {first} 至 {last} 行向{side_zh}移 {count} 列",
                    first=line + 1,
                    last=last + 1,
                    count=abs(columns),
                    side="left" if columns < 0 else "right",
                    side_zh="左" if columns < 0 else "右",
                ),
                edits,
            )
    return None


def _edits(lines: list[str], first: int, last: int, columns: int) -> Iterator[Edit]:
    for at in range(first, last + 1):
        if lines[at].strip() and columns > 0:
            yield Edit(Place(at + 1, 1, at + 1, 1), " " * columns)
        elif lines[at].strip():
            yield Edit(Place(at + 1, 1, at + 1, 1 - columns), "")


def _last(lines: list[str], first: int, columns: int) -> int:
    """Return the last line of the block that a line begins.

    What stands up to ``columns`` further in is not inside of it, but is what it should stand in line with.
    """
    outer = len(lines[first]) - len(lines[first].lstrip(" "))
    is_item = lines[first].lstrip(" ").startswith("- ")
    last = first
    for at in range(first + 1, len(lines)):
        inside = lines[at].lstrip(" ")
        inner = len(lines[at]) - len(inside)
        if not inside:
            continue
        is_inside = inner > outer + max(0, columns) or (
            inner == outer and not is_item and inside.startswith("- ")
        )
        if not is_inside:
            break
        last = at
    return last


def _is_valid(text: str) -> bool:
    try:
        for _ in yaml.parse(text, Loader=LOADER):
            pass
    except yaml.YAMLError:
        return False
    return True
