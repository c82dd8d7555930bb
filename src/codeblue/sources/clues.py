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

RUN = 4
"""Characters that are looked up before a literal is searched for."""


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


class _Text:
    """The lines of a text, those of programs before notes, each with its lower-case words."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = [(line, line.text.lower()) for line in sorted(lines, key=lambda line: line.note)]
        whole = self._whole = "\n".join(lower for _, lower in self.lines)
        self._runs = {whole[at : at + RUN] for at in range(len(whole))}

    def has(self, literal: str) -> bool:
        """Tell whether the text contains a literal."""
        # Of thousands of literals a text contains a few, and both ends of hardly any other.
        ends = len(literal) < RUN or (literal[:RUN] in self._runs and literal[-RUN:] in self._runs)
        return ends and literal in self._whole

    def near(self, literals: Iterable[str]) -> bool:
        """Tell whether the text contains one of some literals."""
        return any(map(self.has, literals))

    def first(self, pattern: str, literals: Sequence[str] = ("",)) -> "_Hit | None":
        """Return the first line that matches, with what was captured; each match contains a literal."""
        search = None
        present = list(filter(self.has, literals))
        for line, lower in self.lines:
            if any(literal in lower for literal in present):
                search = search or _compiled(pattern).search
                found = search(line.text)
                if found:
                    return line, {k: v for k, v in found.groupdict().items() if v is not None}
        return None


_Hit = tuple[Line, dict[str, str]]


def find(lines: Sequence[Line], entries: Iterable[Entry]) -> list[Sighting]:
    """Return a sighting for each line that is part of a complete clue."""
    text = _Text(lines)
    return [
        sighting
        for entry in entries
        for number, literals in enumerate(entry.literals)
        if all(map(text.near, literals))
        for sighting in _complete(entry, number, text)
    ]


def _complete(entry: Entry, number: int, text: _Text) -> list[Sighting]:
    clue = entry.clues[number]
    hits: dict[str, _Hit] = {}
    parts = zip(clue.all, entry.literals[number], strict=True)
    # Without one of them the others do not count, and the shortest takes the least time to compile.
    for pattern, literals in sorted(parts, key=lambda part: len(part[0])):
        hit = text.first(pattern, literals)
        if hit is None:
            return []
        hits[pattern] = hit
    if any(map(text.first, clue.none)):
        return []
    found = [hits[pattern] for pattern in clue.all]
    values = {name: value for _, captured in found for name, value in captured.items()}
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
        for line in dict.fromkeys(line for line, _ in found)
    ]
