"""Hyperscan: all signatures in one pass, by literals, or by patterns where those are too common."""

from collections.abc import Sequence
from importlib.metadata import version

import hyperscan
from msgspec import json

from codeblue.sources.scan import compiled
from codeblue.sources.scan.engines import Events, Present, present_by_search
from codeblue.sources.scan.rules import FINAL_WORDS, Rules
from codeblue.sources.scan.tidy import CONTROL

COMMON = 200
"""Events per MiB from which patterns are cheaper than the confirmation of so many literals."""
STAY = 8
"""Texts that are searched with patterns at once after one in which literals were common."""
FEW = 16
"""Events that are no reason for that in the shortest text."""


class Hyperscan:
    """Searches with rare literals, and with all patterns where the literals are not rare."""

    name = "hyperscan"

    def __init__(self, rules: Rules) -> None:
        literals, patterns, members = _databases(rules)
        self._literals = _ready(hyperscan.loadb(literals, hyperscan.HS_MODE_BLOCK))
        self._patterns = _ready(hyperscan.loadb(patterns, hyperscan.HS_MODE_BLOCK))
        self._members: list[list[int]] = json.decode(members, type=list[list[int]])
        self._control = _ready(_compile([(0, CONTROL.decode("ascii"))], hyperscan.HS_FLAG_SINGLEMATCH))
        self._direct = 0

    def search(self, text: bytes) -> Events:
        """Return the events of one text."""
        if self._direct:
            self._direct -= 1
            return _scan(self._patterns, text)
        events = _scan(self._literals, text)
        if len(events) > FEW + (COMMON * len(text) >> 20):
            self._direct = STAY
            return _scan(self._patterns, text)
        return [(end, number) for end, group in events for number in self._members[group]]

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


def _databases(rules: Rules) -> tuple[bytes, bytes, bytes]:
    key = compiled.key("hyperscan", version("hyperscan"), rules.sources + rules.anchor_of)
    kept = compiled.load(key, 3)
    if kept is not None:
        try:
            for part in kept[:2]:
                hyperscan.loadb(part, hyperscan.HS_MODE_BLOCK)
        except hyperscan.error:
            kept = None
    if kept is None:
        kept = _made(rules)
        compiled.store(key, kept)
    return kept[0], kept[1], kept[2]


def _made(rules: Rules) -> list[bytes]:
    by_literal, without = rules.by_literal()
    words = [word.encode() for word in (*by_literal, *FINAL_WORDS)]
    # A literal only points at its signatures, a pattern is one.
    members = [[~number for number in numbers] for numbers in by_literal.values()]
    members += [[rules.error]] * len(FINAL_WORDS) + [[number] for number in without]
    rare = [*_numbered(words), *((n, rules.pattern(w)) for n, w in enumerate(without, start=len(words)))]
    databases = [_compile(rare), _compile(rules.patterns())]
    return [*map(hyperscan.dumpb, databases), json.encode(members)]


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
