"""What ``terminal`` draws with where no terminal is: text without colour, one line a row however long.

The parts have the names and arguments of those of rich, which takes long to import. Styles are left out.
"""

from collections.abc import Iterator
from typing import Protocol, TextIO


class Part(Protocol):
    """Something to print."""

    def lines(self) -> Iterator[str]:
        """Yield its lines."""


class Text:
    """One line."""

    def __init__(self, content: str, style: str = "") -> None:
        self.content = content

    def append(self, content: str, style: str = "") -> "Text":
        """Add to the end of the line."""
        self.content += content
        return self

    def stylize(self, style: str) -> None:
        """Leave the line as it is."""

    def lines(self) -> Iterator[str]:
        """Yield the line."""
        yield self.content


class Group:
    """Parts below each other."""

    def __init__(self, *parts: Part) -> None:
        self._parts = parts

    def lines(self) -> Iterator[str]:
        """Yield the lines of all parts."""
        for part in self._parts:
            yield from part.lines()


class Padding:
    """A part moved to the right; ``pad`` is top, right, bottom, left, as in rich."""

    def __init__(self, part: Part, pad: tuple[int, int, int, int], *, expand: bool = False) -> None:
        self._part = part
        self._left = " " * pad[3]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the part."""
        for line in self._part.lines():
            yield self._left + line


class Table:
    """Rows whose cells stand below each other."""

    def __init__(self, gap: int) -> None:
        self._gap = gap
        self._rows: list[tuple[str, ...]] = []

    @classmethod
    def grid(cls, *, padding: tuple[int, int, int, int], pad_edge: bool) -> "Table":
        """Return a table without lines; ``padding`` is that of a cell, as in rich."""
        return cls(padding[1])

    def add_column(self, *, no_wrap: bool = False) -> None:
        """Do nothing: rows tell how many columns there are, and nothing wraps."""

    def add_row(self, *cells: Text) -> None:
        """Add a row."""
        self._rows.append(tuple(cell.content for cell in cells))

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def lines(self) -> Iterator[str]:
        """Yield the rows."""
        widths = [max(map(_width, column)) + self._gap for column in zip(*self._rows, strict=True)]
        for row in self._rows:
            yield "".join(
                cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
            )


class Console:
    """Prints parts to a stream."""

    def __init__(self, stream: TextIO, encoding: str) -> None:
        self.encoding = encoding
        self._stream = stream

    def print(self, part: Part | None = None) -> None:
        """Print a part, or an empty line; blanks at the end of lines are left out."""
        for line in part.lines() if part is not None else ("",):
            self._stream.write(f"{line.rstrip()}\n")


def _width(text: str) -> int:
    """Return how many columns a text takes: Chinese characters take two."""
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
