"""The signatures of a catalogue, numbered, as expressions that every engine can search."""

import re

from codeblue.sources.logs import Signatures
from codeblue.sources.scan.literals import Literals, literals, worth
from codeblue.sources.scan.loosen import loosened

RARE = 9
"""Characters. Shorter literals are common in healthy lines."""
FINAL_ERROR = r"[A-Za-z_](?:Error|Exception|Interrupt)|fatal error|FATAL"
"""Every line that ends a program like ``logs.FINAL_ERROR`` contains this, and one of these words."""
FINAL_WORDS = ("Error", "Exception", "Interrupt", "fatal error", "FATAL")

CAUTIOUS = re.compile(r"\^|\$|\\b")
"""What a loosened pattern has lost. Without it a match in plain ASCII is a match of the signature."""


class Rules:
    """Numbers stand for signatures; the one after the last, ``error``, for the final error of a program.

    ``exact`` are those whose loosened pattern needs no confirmation in a plain line, with their fault.
    """

    def __init__(self, signatures: Signatures) -> None:
        self.signatures = signatures
        members = list(signatures.all())
        self.sources = [one.pattern for _, one in members]
        self.anchor_of = [one.anchor for _, one in members]
        self.error = len(members)
        self.exact = {n: fault for n, (fault, one) in enumerate(members) if not CAUTIOUS.search(one.pattern)}

    def pattern(self, number: int) -> str:
        """Return the loosened pattern of a signature; to parse all of them takes a while."""
        return loosened(self.sources[number])

    def patterns(self) -> list[tuple[int, str]]:
        """Return all patterns: what they find are nearly always sightings."""
        return [*enumerate(map(loosened, self.sources)), (self.error, FINAL_ERROR)]

    def by_literal(self) -> tuple[dict[str, list[int]], list[int]]:
        """Return literals with the signatures that one of them may point at, and those that have none.

        The second are so short that healthy lines contain them. A literal that contains another
        is left out: the other points at its signatures too.
        """
        known: dict[str, list[int]] = {}
        without = []
        for number, source in enumerate(self.sources):
            anchor: Literals = frozenset((self.anchor_of[number],))
            best = max(anchor, literals(source), key=worth)
            if worth(best)[0] < RARE:
                without.append(number)
            for literal in best if worth(best)[0] >= RARE else ():
                known.setdefault(literal, []).append(number)
        shortest: dict[str, list[int]] = {}
        for literal in sorted(known, key=len):
            inner = next((other for other in shortest if other in literal), literal)
            shortest.setdefault(inner, []).extend(known[literal])
        return {literal: sorted(set(numbers)) for literal, numbers in shortest.items()}, without
