"""Engines that find candidate lines: the fastest one that is installed."""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Protocol

from codeblue.sources.scan.rules import Rules

Events = list[tuple[int, int]]
"""``(offset, number)``: the pattern of a signature was found in the line around the byte before the offset.

A complement, ``~number``, says less: a literal was found without which the signature does not match."""

Present = Callable[[bytes], Collection[int]]
"""Tells which of some tokens occur in a text, by position."""


class Engine(Protocol):
    """Finds every line that a signature may match, and some others."""

    name: str

    def search(self, text: bytes) -> Events:
        """Return at least one event in every line that a signature, or a final error, matches."""

    def dirty(self, text: bytes) -> bool:
        """Tell whether the text holds control characters, which may stand in the middle of words."""

    def tokens(self, tokens: Sequence[bytes]) -> Present:
        """Return a function that tells which of the literal tokens a text contains."""


def present_by_search(tokens: Sequence[bytes]) -> Present:
    """Return the function for engines that have nothing faster than a search for each token."""
    return lambda text: [n for n, token in enumerate(tokens) if token in text]


@cache
def installed() -> tuple[str, ...]:
    """Return the names of the usable engines, the fastest first."""
    return (*(name for name in ("hyperscan", "re2") if find_spec(name)), "stdlib")


def engine(rules: Rules, names: Sequence[str] | None = None) -> Engine:
    """Return the first engine that works, of ``names`` or of those that are installed.

    A library that is there but cannot be used (another CPU, a broken wheel) is passed over.
    """
    for name in installed() if names is None else names:
        try:
            return _make(name, rules)
        except Exception:
            if names is not None:
                raise
    raise AssertionError("the standard library is always there")


def _make(name: str, rules: Rules) -> Engine:
    # Imported only when chosen: a short text must not wait for a library that it does not need.
    if name == "hyperscan":
        from codeblue.sources.scan.by_hyperscan import Hyperscan

        return Hyperscan(rules)
    if name == "re2":
        from codeblue.sources.scan.by_re2 import Re2

        return Re2(rules)
    from codeblue.sources.scan.by_stdlib import Stdlib

    return Stdlib(rules)
