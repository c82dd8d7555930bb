"""Where something is written."""

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct


class Place(Struct, frozen=True, order=True):
    """A stretch of a file: lines and columns count from 1, columns in characters; the end is behind it."""

    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def start(self) -> "Place":
        """The empty stretch before it."""
        return Place(self.line, self.column, self.line, self.column)

    @property
    def end(self) -> "Place":
        """The empty stretch behind it."""
        return Place(self.end_line, self.end_column, self.end_line, self.end_column)


TOP = Place(1, 1, 1, 1)


class Source:
    """A text, and where its characters stand in the file that it is part of.

    ``marks`` are offset, line and column, ascending; from each on, columns go on by one. A whole file has
    one mark a line. ``exact`` is False where only the beginning of the text can be placed.
    """

    def __init__(
        self, name: str, text: str, marks: Sequence[tuple[int, int, int]] | None = None, *, exact: bool = True
    ) -> None:
        self.name = name
        self.text = text
        self.exact = exact
        self.whole = marks is None
        """True for a file, False for a part of one."""
        self._marks = marks if marks is not None else _lines(text)
        self._offsets = [mark[0] for mark in self._marks]

    def point(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character."""
        begin, line, column = self._marks[max(0, bisect_right(self._offsets, offset) - 1)]
        return (line, column + offset - begin) if self.exact else (line, column)

    def place(self, start: int, end: int) -> Place:
        """Return the place of the characters from ``start`` up to, not with, ``end``."""
        line, column = self.point(start)
        if end <= start:
            return Place(line, column, line, column)
        end_line, end_column = self.point(end - 1)
        return Place(line, column, end_line, end_column + 1)

    def part(self, start: int, end: int) -> "Source":
        """Return a stretch of it as a source of its own."""
        marks = [(0, *self.point(start))]
        marks += [(m[0] - start, m[1], m[2]) for m in self._marks if start < m[0] < end]
        return Source(self.name, self.text[start:end], marks, exact=self.exact)

    def filled(self, text: str) -> "Source":
        """Return the same places for another text of the same length: what a program fills in, as a blank."""
        return Source(self.name, text, self._marks, exact=self.exact)


def _lines(text: str) -> list[tuple[int, int, int]]:
    marks = [(0, 1, 1)]
    at = text.find("\n")
    while at >= 0:
        marks.append((at + 1, len(marks) + 1, 1))
        at = text.find("\n", at + 1)
    return marks
