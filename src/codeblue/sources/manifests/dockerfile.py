"""The instructions of a Dockerfile, each with the place of every character.

Follows the format's own rules (https://docs.docker.com/reference/dockerfile/): parser directives, the escape
character, continuations with comments and empty lines among them, heredocs, options of instructions.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

DIRECTIVE = re.compile(r"#[ \t]*([A-Za-z]+)[ \t]*=[ \t]*(\S+)[ \t]*$")
DIRECTIVES = ("syntax", "escape", "check")
FLAG = re.compile(r"--([a-z][a-z-]*)(?:=(\"[^\"]*\"|\S*))?(?:\s+|$)")
HEREDOC = re.compile(r"(?<![<\w])<<(-?)([\"']?)([A-Za-z_][\w.-]*)\2(?![<\w])")
NAME = re.compile(r"[A-Za-z_][\w.-]*$")
WITH_HEREDOCS = ("RUN", "COPY", "ADD")
VARIABLE = re.compile(r"\\(\$)|\$(?:(\w+)|\{(\w+)(?:(:?[-+])([^{}]*))?\})")
LONGEST = 4000
"""Characters of a text with its variables filled in: variables that double each other stop here."""
NESTED = 4
"""Defaults inside of defaults."""


class Span(NamedTuple):
    """A stretch of the file, counted from 1; the end is behind its last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class Heredoc(NamedTuple):
    """Lines that an instruction takes from below itself."""

    name: str
    text: str
    line: int
    """Line of the first character of the text."""
    expands: bool
    """Variables in it are filled in; the name is not quoted."""


class Instruction(NamedTuple):
    """One instruction, continued lines joined."""

    name: str
    """In capital letters, whatever it is."""
    value: str
    """What follows name and options, without comments and escaped line ends."""
    flags: tuple[tuple[str, str], ...]
    """Options such as ``("platform", "linux/arm64")``; one may come again."""
    heredocs: tuple[Heredoc, ...]
    span: Span
    marks: tuple[tuple[int, int, int], ...]
    """Offset in ``value``, line and column from which on the columns go on by one."""

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character of ``value``."""
        begin, line, column = self.marks[max(0, bisect_right(self.marks, (offset, 1 << 62, 0)) - 1)]
        return line, column + offset - begin

    def flag(self, name: str) -> str:
        """Return the value of an option; empty if it is not given."""
        return next((value for key, value in self.flags if key == name), "")


def scan(text: str) -> list[Instruction]:
    """Return the instructions of a file whose lines end with a line feed alone."""
    return list(_Scanner(text.split("\n")).instructions())


class _Scanner:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._escape, self._position = _directives(lines)
        # Two of them are the character itself.
        self._goes_on = re.compile(rf"(?<!{re.escape(self._escape)}){re.escape(self._escape)}[ \t]*$")
        self._ends: dict[tuple[str, bool], list[int]] = {}
        for number, line in enumerate(lines):
            name = line.lstrip("\t")
            if NAME.match(name):
                self._ends.setdefault((name, True), []).append(number)
                if name == line:
                    self._ends.setdefault((name, False), []).append(number)

    def instructions(self) -> Iterator[Instruction]:
        while self._position < len(self._lines):
            if _says_nothing(self._lines[self._position]):
                self._position += 1
            else:
                yield self._instruction()

    def _instruction(self) -> Instruction:
        first = self._position
        pieces = list(self._pieces())
        joined = "".join(piece for piece, _, _ in pieces)
        last = self._position - 1
        name = (joined.split(None, 1) or [""])[0]
        offset = len(name) + _blanks(joined, len(name))
        flags = []
        while found := FLAG.match(joined, offset):
            flags.append((found[1], (found[2] or "").strip('"')))
            offset = found.end()
        upper = name.upper()
        heredocs = tuple(self._heredocs(joined)) if upper in WITH_HEREDOCS else ()
        last = self._position - 1 if heredocs else last
        span = Span(first + 1, pieces[0][2], last + 1, len(self._lines[last]) + 1)
        value = joined[offset:].rstrip()
        return Instruction(upper, value, tuple(flags), heredocs, span, _marks(pieces, offset))

    def _pieces(self) -> Iterator[tuple[str, int, int]]:
        """Yield the parts of one instruction with line and column, and go behind its last line."""
        begun = False
        while self._position < len(self._lines):
            line = self._lines[self._position]
            self._position += 1
            if begun and _says_nothing(line):
                continue
            indent = 0 if begun else _blanks(line, 0)
            begun = True
            goes_on = self._goes_on.search(line)
            yield line[indent : goes_on.start() if goes_on else None], self._position, indent + 1
            if not goes_on:
                return

    def _heredocs(self, joined: str) -> Iterator[Heredoc]:
        for found in HEREDOC.finditer(joined):
            strips, quote, name = found.groups()
            end = self._end(name, bool(strips))
            if end is not None:
                body = self._lines[self._position : end]
                text = "\n".join(line.lstrip("\t") if strips else line for line in body)
                yield Heredoc(name, text, self._position + 1, not quote)
                self._position = end + 1

    def _end(self, name: str, strips: bool) -> int | None:
        """Return the line that ends a heredoc; None for words that only look like its begin."""
        numbers = self._ends.get((name, strips), [])
        place = bisect_left(numbers, self._position)
        return numbers[place] if place < len(numbers) else None


def _directives(lines: Sequence[str]) -> tuple[str, int]:
    """Return the escape character and the first line behind the parser directives."""
    escape = "\\"
    for number, line in enumerate(lines):
        found = DIRECTIVE.match(line.strip())
        if not found or found[1].lower() not in DIRECTIVES:
            return escape, number
        if found[1].lower() == "escape" and found[2] in ("\\", "`"):
            escape = found[2]
    return escape, len(lines)


def _says_nothing(line: str) -> bool:
    text = line.lstrip()
    return not text or text.startswith("#")


def _blanks(text: str, offset: int) -> int:
    return len(text) - offset - len(text[offset:].lstrip())


def _marks(pieces: Sequence[tuple[str, int, int]], offset: int) -> tuple[tuple[int, int, int], ...]:
    """Return where the parts of the value begin; it begins ``offset`` characters into the whole."""
    marks = []
    begin = -offset
    for number, (piece, line, column) in enumerate(pieces, start=1):
        if begin + len(piece) > 0 or number == len(pieces):
            skipped = min(max(0, -begin), len(piece))
            marks.append((max(0, begin), line, column + skipped))
        begin += len(piece)
    return tuple(marks)


def expand(text: str, variables: Mapping[str, str]) -> str:
    """Return a text with ``$X``, ``${X}``, ``${X:-default}`` and ``${X:+other}`` filled in.

    A variable that is not known, and without a default, stays as it is written.
    """
    for _ in range(NESTED):
        if "$" not in text or len(text) > LONGEST:
            break
        filled = VARIABLE.sub(lambda found: _filled(found, variables), text)
        if filled == text:
            break
        text = filled[:LONGEST]
    return text


def _filled(found: re.Match[str], variables: Mapping[str, str]) -> str:
    dollar, plain, braced, operator, other = found.groups()
    value = variables.get(plain or braced or "")
    if dollar or (value is None and not operator):
        return found[0]
    is_set = value is not None and (value != "" or not operator.startswith(":") if operator else True)
    if operator and operator.endswith("+"):
        return str(other) if is_set else ""
    return str(value) if is_set else str(other)
