"""The standard library alone: literal searches, for the few literals that the text may contain.

Lines of a log differ mostly in their numbers. Without digits and hexadecimal letters few different
lines are left, and a literal that does not occur in those, its own digits taken out, occurs nowhere.
"""

import re
from collections.abc import Iterator, Sequence

from codeblue.sources.scan.engines import Events, Present, present_by_search
from codeblue.sources.scan.rules import FINAL_WORDS, RARE, Rules
from codeblue.sources.scan.tidy import C1, CONTROLS

VARYING = b"0123456789abcdef"
ENOUGH = 4
"""Characters that must be left of a literal, or it is searched for in the whole text."""
LARGE = 256 << 10
"""Bytes from which taking out what varies is worth its while."""


class Stdlib:
    """Searches for one literal after the other."""

    name = "stdlib"

    def __init__(self, rules: Rules) -> None:
        # One signature stands for all that share its anchor.
        anchors = {anchor.encode(): ~number for number, anchor in enumerate(rules.anchor_of)}
        self._literals = [*anchors.items(), *((word.encode(), rules.error) for word in FINAL_WORDS)]
        self._cores = [literal.translate(None, VARYING) for literal, _ in self._literals]
        self._rules = rules
        self._checks: dict[int, list[re.Pattern[bytes]]] = {}

    def search(self, text: bytes) -> Events:
        """Return the events of one text, each at the end of its literal."""
        few = _without_variety(bytes(text)) if len(text) >= LARGE else text
        cores = self._cores if few is not text else [literal for literal, _ in self._literals]
        events: Events = []
        for (literal, number), core in zip(self._literals, cores, strict=True):
            if core in few if len(core) >= ENOUGH else literal in text:
                events += self._found(text, literal, number)
        return events

    def _found(self, text: bytes, literal: bytes, number: int) -> Iterator[tuple[int, int]]:
        """Yield the lines with a literal; a common one does not suffice, and its patterns are tried.

        In a short text they would take longer to compile than its lines to look at.
        """
        if len(literal) < RARE and len(text) >= LARGE and number != self._rules.error:
            for check in self._of_anchor(number):
                yield from ((found.end(), number) for found in check.finditer(text))
            return
        at = text.find(literal)
        while at >= 0:
            yield at + len(literal), number
            end = text.find(b"\n", at)
            at = text.find(literal, end) if end >= 0 else -1

    def _of_anchor(self, number: int) -> list["re.Pattern[bytes]"]:
        if number not in self._checks:
            rules = self._rules
            anchor = rules.anchor_of[~number]
            members = (n for n, other in enumerate(rules.anchor_of) if other == anchor)
            self._checks[number] = [re.compile(rules.pattern(n).encode("ascii")) for n in members]
        return self._checks[number]

    def dirty(self, text: bytes) -> bool:
        """Tell whether the text holds control characters."""
        return len(text.translate(None, CONTROLS)) != len(text) or C1.search(text) is not None

    def tokens(self, tokens: Sequence[bytes]) -> Present:
        """Return a plain search for each token."""
        return present_by_search(tokens)


def _without_variety(text: bytes) -> bytes:
    return b"\n".join(set(text.translate(None, VARYING).split(b"\n")))
