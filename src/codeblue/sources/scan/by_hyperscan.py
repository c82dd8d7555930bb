"""Hyperscan: one pass for rare literals, and one over the lines that have any for all signatures."""

from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path

import hyperscan

from codeblue.sources.scan import compiled
from codeblue.sources.scan.engines import Events, Present, present_by_search
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.tidy import CONTROL

WAY = (
    "by_hyperscan.py",
    "chosen.py",
    "healthy.txt",
    "literals.py",
    "loosen.py",
    "rarity.py",
    "rules.py",
)
"""What decides how signatures become databases; after a change of it a kept one is of no use."""
COMMON = 2000
"""Lines with a literal per MiB from which the search with patterns costs less in one go."""
STAY = 8
"""Texts that are searched with patterns at once after one in which literals were common."""
FEW = 16
"""Lines that are no reason for that in the shortest text."""


class Hyperscan:
    """Searches for rare literals, then the lines around them with patterns."""

    name = "hyperscan"

    def __init__(self, rules: Rules) -> None:
        self._literals, self._patterns = _databases(rules)
        self._control = _ready(_compile([(0, CONTROL.decode("ascii"))], hyperscan.HS_FLAG_SINGLEMATCH))
        self._direct = 0

    def search(self, text: bytes) -> Events:
        """Return the events of one text."""
        if self._direct:
            self._direct -= 1
            return _scan(self._patterns, text)
        lines = _lines(text, [end for end, _ in _scan(self._literals, text)])
        if len(lines) > FEW + (COMMON * len(text) >> 20):
            self._direct = STAY
            return _scan(self._patterns, text)
        return self._within(text, lines) if lines else []

    def _within(self, text: bytes, lines: Sequence[tuple[int, int]]) -> Events:
        """Return the events of some lines of a text, which are searched together."""
        joined = b"".join([text[start:end] for start, end in lines])
        starts = [0, *accumulate(end - start for start, end in lines)]
        found = _scan(self._patterns, joined)
        at = [bisect_left(starts, end) - 1 for end, _ in found]
        return [(end - starts[n] + lines[n][0], number) for n, (end, number) in zip(at, found, strict=True)]

    def dirty(self, text: bytes) -> bool:
        """Tell whether the text holds control characters."""
        return bool(_scan(self._control, text))

    def tokens(self, tokens: Sequence[bytes]) -> Present:
        """Return a search that ends as soon as every token was seen."""
        if not tokens:
            return present_by_search(tokens)
        database = _ready(_compile(_numbered(tokens), hyperscan.HS_FLAG_SINGLEMATCH))
        return lambda text: {number for _, number in _scan(database, text)}


def _scan(database: "hyperscan.Database", text: bytes) -> Events:
    events: Events = []
    append = events.append

    def found(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
        append((end, number))

    database.scan(text, match_event_handler=found)
    return events


def _lines(text: bytes, ends: list[int]) -> list[tuple[int, int]]:
    """Return start and end of the lines in which something ends."""
    lines = []
    until = 0
    for end in sorted(ends):
        if end > until:
            start = text.rfind(b"\n", until, end) + 1 or until
            until = text.find(b"\n", end) + 1 or len(text)
            lines.append((start, until))
    return lines


def _databases(rules: Rules) -> tuple["hyperscan.Database", "hyperscan.Database"]:
    way = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in WAY]
    key = compiled.key("hyperscan", version("hyperscan"), rules.sources + rules.anchor_of + way)
    kept = compiled.load(key, 2)
    if kept is not None:
        with suppress(hyperscan.error):
            return _loaded(kept)
    kept = _made(rules)
    compiled.store(key, kept)
    return _loaded(kept)


def _loaded(kept: Sequence[bytes]) -> tuple["hyperscan.Database", "hyperscan.Database"]:
    literals, patterns = (_ready(hyperscan.loadb(part, hyperscan.HS_MODE_BLOCK)) for part in kept)
    return literals, patterns


def _made(rules: Rules) -> list[bytes]:
    from codeblue.sources.scan.chosen import chosen  # not where a database is kept

    words = [literal.encode() for literal in chosen(rules)]
    return [hyperscan.dumpb(_compile(found)) for found in (_numbered(words), rules.patterns())]


def _numbered(literals: Sequence[bytes]) -> list[tuple[int, str]]:
    return [(n, "".join(f"\\x{byte:02x}" for byte in literal)) for n, literal in enumerate(literals)]


def _ready(database: "hyperscan.Database") -> "hyperscan.Database":
    database.scratch = hyperscan.Scratch(database)
    return database


def _compile(expressions: Sequence[tuple[int, str]], flags: int = 0) -> "hyperscan.Database":
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[expression.encode("ascii") for _, expression in expressions],
        ids=[number for number, _ in expressions],
        elements=len(expressions),
        flags=[flags] * len(expressions),
    )
    return database
