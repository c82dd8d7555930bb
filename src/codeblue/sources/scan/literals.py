"""Literals of which every match of a pattern contains one: what an engine finds fastest."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

if sys.version_info >= (3, 11):
    from re import _constants as sre  # type: ignore[attr-defined]  # typeshed leaves the parser of re out
    from re import _parser as parser  # type: ignore[attr-defined]  # likewise
else:
    import sre_constants as sre
    import sre_parse as parser

MOST = 128
"""Literals for one pattern."""
ENOUGH = 10
"""Characters from which a literal is rare."""

Literals = frozenset[str]


def literals(pattern: str) -> Literals:
    """Return the best set of literals of which every match contains one; empty if there is none."""
    return max(choices(pattern), key=worth, default=frozenset())


def choices(pattern: str) -> list[Literals]:
    """Return sets of literals; every match contains one literal of each set."""
    tree: Any = parser.parse(pattern)
    return list(_choices(tree))


def worth(found: Literals) -> tuple[int, int, int]:
    """Return how telling a set is: its shortest literal, up to what is long enough, then how few they are."""
    shortest = min(map(len, found), default=0)
    return (min(shortest, ENOUGH), -len(found), shortest)


def _needed(items: Iterable[Any]) -> Literals | None:
    """Return the best of what a sequence needs; None if it needs nothing."""
    return max(_choices(items), key=worth, default=None)


def _choices(items: Iterable[Any]) -> Iterator[Literals]:
    """Yield what a sequence needs, one set for each of its parts."""
    run: Literals = frozenset(("",))
    for item in _flat(items):
        exact = _exact(item)
        if exact is not None and len(run) * len(exact) <= MOST:
            run = frozenset(before + after for before in run for after in exact)
            continue
        start = _start(item)
        if start is not None and len(run) * len(start) <= MOST:
            run = frozenset(before + after for before in run for after in start)
        yield from (found for found in (run, _inside(item)) if found and all(found))
        run = exact if exact is not None else frozenset(("",))
    if all(run):
        yield run


def _flat(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the items, those of a group in its place: what stands before and behind it belongs together."""
    for item in items:
        op, value = item
        if op is sre.SUBPATTERN:
            yield from _flat(value[3])
        elif op is not sre.AT:
            yield item


def _inside(item: Any) -> Literals | None:
    """Return what a part needs that has no fixed text of its own."""
    op, value = item
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return _needed(value[2]) if value[0] else None
    if op is sre.BRANCH:
        branches = [_needed(branch) for branch in value[1]]
        whole = frozenset[str]().union(*(branch or () for branch in branches))
        return whole if all(branches) and len(whole) <= MOST else None
    return None


def _start(item: Any) -> Literals | None:
    """Return the texts with which a part begins that repeats itself."""
    op, value = item
    if op not in (sre.MAX_REPEAT, sre.MIN_REPEAT) or not value[0]:
        return None
    once = _product(value[2])
    return frozenset((next(iter(once)) * min(value[0], ENOUGH),)) if once and len(once) == 1 else once


def _exact(item: Any) -> Literals | None:
    """Return all texts of a part, if they are few."""
    op, value = item
    if op is sre.LITERAL:
        return frozenset((chr(value),))
    if op is sre.IN:
        return _characters(value)
    if op is sre.SUBPATTERN:
        return _product(value[3])
    if op is sre.BRANCH:
        found = [_product(branch) for branch in value[1]]
        whole = frozenset[str]().union(*(texts or () for texts in found))
        return whole if None not in found and len(whole) <= MOST else None
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT) and value[1] == 1:
        inner = _product(value[2])
        return inner | {""} if inner is not None and not value[0] else inner
    return None


def _product(items: Sequence[Any]) -> Literals | None:
    texts: Literals = frozenset(("",))
    for item in items:
        more = _exact(item) if item[0] is not sre.AT else frozenset(("",))
        if more is None or len(texts) * len(more) > MOST:
            return None
        texts = frozenset(before + after for before in texts for after in more)
    return texts


def _characters(parts: Sequence[Any]) -> Literals | None:
    simple = all(op is sre.LITERAL for op, _ in parts)
    return frozenset(chr(value) for _, value in parts) if simple and len(parts) <= 4 else None
