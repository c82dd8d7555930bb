"""RE2: one alternation finds lines in a text, a set tells which signatures a line may match."""

from collections.abc import Sequence

import re2

from codeblue.sources.scan.engines import Events, Present, present_by_search
from codeblue.sources.scan.rules import Rules
from codeblue.sources.scan.tidy import CONTROL

MEMORY = 64 << 20
"""Bytes for automata; with less the search falls back to a slow one."""


class Re2:
    """Searches line after line that an alternation of all patterns matches."""

    name = "re2"

    def __init__(self, rules: Rules) -> None:
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.max_mem = MEMORY
        options.log_errors = False
        self._numbers = []
        self._set = re2.Set.SearchSet(options)
        expressions = rules.patterns()
        for number, expression in expressions:
            self._set.Add(expression.encode("ascii"))
            self._numbers.append(number)
        self._set.Compile()
        alternation = "|".join(f"(?:{expression})" for _, expression in expressions)
        self._control = re2.compile(CONTROL, options)
        self._any = re2.compile(alternation.encode("ascii"), options)

    def search(self, text: bytes) -> Events:
        """Return the events of one text, each at the end of its line."""
        events: Events = []
        text = bytes(text)  # the library takes nothing else
        at = 0
        while found := self._any.search(text, at):
            end = text.find(b"\n", found.end())
            end = len(text) if end < 0 else end
            start = text.rfind(b"\n", 0, found.start()) + 1
            events += [(end, self._numbers[n]) for n in self._set.Match(text[start:end])]
            at = end
        return events

    def dirty(self, text: bytes) -> bool:
        """Tell whether the text holds control characters."""
        return self._control.search(bytes(text)) is not None

    def tokens(self, tokens: Sequence[bytes]) -> Present:
        """Return a plain search for each token."""
        return present_by_search(tokens)
