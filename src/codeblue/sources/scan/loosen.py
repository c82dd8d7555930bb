"""A signature's pattern as every engine can search it, over the bytes of many lines at once.

The result matches wherever the pattern matches in a line of its own, in any of its ``bodies``; it may
match elsewhere too. What an engine finds is a candidate, and the signature itself has the last word.
For this anchors and word boundaries are dropped, nothing crosses a newline, a character may be several
bytes, and parts at either end that may be missing are missing: they would only be found again and
again.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    from re import _constants as sre  # type: ignore[attr-defined]  # typeshed leaves the parser of re out
    from re import _parser as parser  # type: ignore[attr-defined]  # likewise
else:
    import sre_constants as sre
    import sre_parse as parser

NEWLINE = 10
ASCII = frozenset(range(128)) - {NEWLINE}
DIGIT = frozenset(range(48, 58))
WORD = DIGIT | frozenset(range(65, 91)) | frozenset(range(97, 123)) | {95}
SPACE = frozenset((9, 11, 12, 13, 28, 29, 30, 31, 32))
CATEGORIES = {
    sre.CATEGORY_DIGIT: DIGIT,
    sre.CATEGORY_NOT_DIGIT: ASCII - DIGIT,
    sre.CATEGORY_WORD: WORD,
    sre.CATEGORY_NOT_WORD: ASCII - WORD,
    sre.CATEGORY_SPACE: SPACE,
    sre.CATEGORY_NOT_SPACE: ASCII - SPACE,
}
LONGEST = 4
"""Bytes of one character."""


class Unsupported(ValueError):
    """The pattern uses what not every engine has."""


class Piece(NamedTuple):
    """One set of characters: the ASCII ones, and whether others belong to it too."""

    ascii: frozenset[int]
    other: bool


def loosened(pattern: str) -> str:
    """Return the pattern for engines, in ASCII. Raises Unsupported."""
    tree: Any = parser.parse(pattern)
    if tree.state.flags & ~sre.SRE_FLAG_UNICODE:
        raise Unsupported(f"flags: {pattern}")
    return _sequence(_trimmed(list(tree)))


def _trimmed(items: list[Any]) -> list[Any]:
    """Return the items without what may be missing at either end."""
    items = [item for item in items if item[0] is not sre.AT]
    while items and _least(items[0]) == 0:
        items = items[1:]
    while items and _least(items[-1]) == 0:
        items = items[:-1]
    if not items:
        raise Unsupported("matches the empty text")
    for end in (0, -1):
        op, value = items[end]
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            items[end] = (op, (value[0], value[0], value[2]))
        elif op is sre.SUBPATTERN and not value[1] and not value[2]:
            inner = _without(list(value[3]), end)
            items[end] = (op, (None, 0, 0, inner))
    return items


def _without(items: list[Any], end: int) -> list[Any]:
    """Return a group's items without the optional ones at one end."""
    items = [item for item in items if item[0] is not sre.AT]
    while items and _least(items[end]) == 0:
        items.pop(end)
    return items


def _least(item: Any) -> int:
    """Return how many characters the item takes at least."""
    op, value = item
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return int(value[0]) * sum(map(_least, value[2]))
    if op is sre.SUBPATTERN:
        return sum(map(_least, value[3]))
    if op is sre.BRANCH:
        return min(sum(map(_least, branch)) for branch in value[1])
    return 0 if op is sre.AT else 1


def _sequence(items: Iterable[Any]) -> str:
    return "".join(map(_item, items))


def _item(item: Any) -> str:
    op, value = item
    if op is sre.AT:
        return ""
    if op is sre.SUBPATTERN:
        if value[1] or value[2]:
            raise Unsupported("flags within the pattern")
        return f"(?:{_sequence(value[3])})"
    if op is sre.BRANCH:
        return f"(?:{'|'.join(map(_sequence, value[1]))})"
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return _repeat(*value)
    return _single(_piece(item))


def _repeat(least: int, most: int, items: Sequence[Any]) -> str:
    simple = len(items) == 1 and items[0][0] in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
    piece = _piece(items[0]) if simple else None
    if piece and piece.other:
        # One character of several bytes counts as several: more may be taken, never less.
        return _class(piece) + _count(least, most if most == sre.MAXREPEAT else most * LONGEST)
    inner = _single(piece) if piece else f"(?:{_sequence(items)})"
    return inner + _count(least, most)


def _count(least: int, most: int) -> str:
    if (least, most) == (1, 1):
        return ""
    if most == sre.MAXREPEAT:
        return {0: "*", 1: "+"}.get(least, f"{{{least},}}")
    return f"{{{least}}}" if least == most else f"{{{least},{most}}}"


def _piece(item: Any) -> Piece:
    op, value = item
    if op is sre.LITERAL:
        return Piece(frozenset((value,)) & ASCII, value > 127)
    if op is sre.NOT_LITERAL:
        return Piece(ASCII - {value}, True)
    if op is sre.ANY:
        return Piece(ASCII, True)
    if op is sre.IN:
        return _set(value)
    raise Unsupported(f"{op}")


def _set(parts: Sequence[Any]) -> Piece:
    found: set[int] = set()
    negated = other = False
    for op, value in parts:
        if op is sre.NEGATE:
            negated = True
        elif op is sre.LITERAL:
            found.add(value)
            other = other or value > 127
        elif op is sre.RANGE:
            found.update(range(value[0], min(value[1], 127) + 1))
            other = other or value[1] > 127
        elif op is sre.CATEGORY:
            found |= CATEGORIES[value]
            other = True
        else:
            raise Unsupported(f"{op}")
    return Piece(ASCII - found, True) if negated else Piece(ASCII & found, other)


def _single(piece: Piece) -> str:
    """Return the set for exactly one character."""
    if not piece.other:
        return _class(piece)
    beyond = f"[\\x80-\\xff]{{1,{LONGEST}}}"
    return f"(?:{_class(Piece(piece.ascii, False))}|{beyond})" if piece.ascii else f"(?:{beyond})"


def _class(piece: Piece) -> str:
    codes = piece.ascii | (frozenset(range(128, 256)) if piece.other else frozenset())
    if len(codes) == 1:
        return _escaped(min(codes))
    if not codes:
        raise Unsupported("an empty set")
    return f"[{''.join(_runs(sorted(codes)))}]"


def _runs(codes: list[int]) -> Iterator[str]:
    start = last = codes[0]
    for code in [*codes[1:], -1]:
        if code == last + 1:
            last = code
            continue
        yield _escaped(start) if start == last else f"{_escaped(start)}-{_escaped(last)}"
        start = last = code


def _escaped(code: int) -> str:
    character = chr(code)
    return character if character.isalnum() and code < 128 else f"\\x{code:02x}"
