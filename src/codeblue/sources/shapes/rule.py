"""One rule: the literals without which it cannot match, its pattern, and a second look at what it found."""

import re
from typing import Callable, Iterator, List, Optional, Pattern, Tuple

ALIAS = re.compile(r"(?:secret|host|user|ip|mac|guid|mail|gpu|serial|boot)-[0-9a-f]{12}")
"""A pseudonym: what has been replaced is not replaced again."""

Judge = Callable[[str, int, int], bool]
"""``judge(text, start, end)`` is False if the place found holds nothing private."""


class Rule:
    """A pattern whose last group that matched (else the whole match) is private.

    ``anchors`` are literals in lower case: a text without any of them is not searched.
    ``kind`` is the kind of the pseudonym, ``name`` the class that a person is told.
    """

    def __init__(
        self, kind: str, name: str, anchors: str, pattern: str, judge: Optional[Judge] = None
    ) -> None:
        self.kind = kind
        self.name = name
        self.anchors = anchors.split(" ")
        self.pattern = pattern
        self.judge = judge
        self._compiled: Optional[Pattern[str]] = None

    def spans(self, text: str, low: str) -> Iterator[Tuple[int, int]]:
        """Yield the private places in a text; ``low`` is the text in lower case."""
        for anchor in self.anchors:
            if anchor in low:
                break
        else:
            return
        if self._compiled is None:
            self._compiled = re.compile(self.pattern)
        for match in self._compiled.finditer(text):
            start, end = match.span(match.lastindex or 0)
            if start < end and not ALIAS.fullmatch(text, start, end):
                if self.judge is None or self.judge(text, start, end):
                    yield start, end


def replace(rules: List[Rule], text: str, alias: Callable[[str, str], str]) -> str:
    """Return the text with every private place replaced by ``alias(kind, value)``."""
    low = text.lower()
    for rule in rules:
        parts, last = [], 0
        for start, end in rule.spans(text, low):
            parts += [text[last:start], alias(rule.kind, text[start:end])]
            last = end
        if parts:
            text = "".join(parts) + text[last:]
            low = text.lower()
    return text
