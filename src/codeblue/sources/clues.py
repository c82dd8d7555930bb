"""Clues: words that together point at a fault, in a text that a person pasted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from codeblue.model.entry import Entry
from codeblue.model.facts import Sighting
from codeblue.sources.logs import NOTE, clean

SHORT = 256 << 10
"""Characters. In a longer text any word occurs somewhere, and words far apart mean nothing together."""


class Line(NamedTuple):
    """One cleaned line of a text, and where it stands."""

    text: str
    file: str
    number: int
    note: bool

    @property
    def place(self) -> str:
        """File and number of the line, as evidence names them."""
        return f"{self.file}:{self.number}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


class Tap:
    """Keeps the lines that pass, as long as the text is short."""

    def __init__(self, name: str, longest: int = SHORT) -> None:
        self.name = name
        self._longest = longest
        self._size = 0
        self._lines: list[Line] = []

    def passing(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the lines unchanged."""
        for number, line in enumerate(lines, start=1):
            self._size += len(line)
            if self._size > self._longest:
                self._lines.clear()
            else:
                text = clean(line)
                self._lines.append(Line(text, self.name, number, NOTE.match(text) is not None))
            yield line

    def lines(self) -> list[Line]:
        """Return all lines of a short text, nothing of a longer one."""
        return self._lines if self._size <= self._longest else []


def find(lines: Sequence[Line], entries: Iterable[Entry]) -> list[Sighting]:
    """Return a sighting for each line that is part of a complete clue."""
    whole = "\n".join(line.text for line in lines).lower()
    return [
        sighting
        for entry in entries
        for number, literals in enumerate(entry.literals)
        if all(any(literal in whole for literal in part) for part in literals)
        for sighting in _complete(entry, number, lines)
    ]


def _complete(entry: Entry, number: int, lines: Sequence[Line]) -> list[Sighting]:
    clue = entry.clues[number]
    if any(_first(pattern, lines) for pattern in clue.none):
        return []
    found = [_first(pattern, lines) for pattern in clue.all]
    if not all(found):
        return []
    values = {name: value for hit in found if hit for name, value in hit[1].items()}
    seen = dict.fromkeys(hit[0] for hit in found if hit)
    return [
        Sighting(
            fault=entry.id,
            text=line.text,
            file=line.file,
            line=line.number,
            note=line.note,
            clue=number,
            values=values,
        )
        for line in seen
    ]


def _first(pattern: str, lines: Sequence[Line]) -> tuple[Line, dict[str, str]] | None:
    """Return the first line that matches, a program's line before a note, with what was captured."""
    search = _compiled(pattern).search
    for line in sorted(lines, key=lambda line: line.note):
        found = search(line.text)
        if found:
            return line, {k: v for k, v in found.groupdict().items() if v is not None}
    return None
