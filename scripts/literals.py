"""Literals that a pattern cannot match without: they keep most clues from being compiled."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from codeblue.model.fault import Clue

if sys.version_info >= (3, 11):
    from re import _constants, _parser
else:
    import sre_constants as _constants
    import sre_parse as _parser


def literals(clues: Iterable[Clue]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return for each clue and each of its patterns the lower-case literals of which a match has one.

    Raises ValueError for a pattern that has a branch without any literal of weight.
    """
    return tuple(tuple(_of_pattern(pattern) for pattern in clue.all) for clue in clues)


def _of_pattern(pattern: str) -> tuple[str, ...]:
    found = _required(_parser.parse(pattern))
    if not found or _weight(found) < 3:
        raise ValueError(f"{pattern!r}: every branch needs a literal of three letters, or two Chinese ones")
    return tuple(sorted({literal.lower() for literal in found}))


def _weight(choice: Sequence[str]) -> int:
    return min(len(c) + sum(ch > "\u2e80" for ch in c) for c in choice)


def _required(nodes: Any) -> list[str]:
    """Return the heaviest set of literals of which each match of the sequence contains one."""
    choices: list[list[str]] = []
    run = ""
    for kind, value in [*nodes, (None, None)]:
        if kind is _constants.LITERAL:
            run += chr(value)
            continue
        if run:
            choices.append([run])
            run = ""
        inner = _inner(kind, value)
        if inner:
            choices.append(inner)
    return max(choices, key=_weight, default=[])


def _inner(kind: Any, value: Any) -> list[str]:
    if kind is _constants.SUBPATTERN:
        return _required(value[3])
    if kind is _constants.MAX_REPEAT and value[0] >= 1:
        return _required(value[2])
    if kind is _constants.BRANCH:
        branches = [_required(branch) for branch in value[1]]
        return [literal for branch in branches for literal in branch] if all(branches) else []
    return []
