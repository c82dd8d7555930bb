"""Names of nodes in the short form that schedulers write: ``gpu[001-128],login1``."""

import re
from collections.abc import Iterable, Iterator
from itertools import product

from msgspec import Struct

MOST = 200_000
"""Names that one pattern may stand for; more is a slip of the pen."""

LONGEST = 15
"""Digits of a number that every program can count with."""

_PART = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?$")
_NUMBER = re.compile(r"([0-9]+)(?!.*[0-9])")


class BadPattern(ValueError):
    """A pattern that stands for no names; ``str()`` is the part that is wrong."""


def expand(pattern: str) -> list[str]:
    """Return the names that a pattern stands for, each once, in its order. Raises BadPattern."""
    names: dict[str, None] = {}
    for part in _split(pattern):
        names.update(dict.fromkeys(_expanded(part)))
        if len(names) > MOST:
            raise BadPattern(pattern)
    return list(names)


class Numbered(Struct, frozen=True):
    """Names that differ in their last number."""

    before: str
    after: str
    width: int
    """Digits, with zeros before the number; 0 for as many as it has."""
    ranges: tuple[tuple[int, int], ...]
    """First and last number of each run."""


def runs(names: Iterable[str]) -> Iterator[Numbered | str]:
    """Yield sets of numbered names, and names without a number, each name once."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    plain: list[str] = []
    for name in dict.fromkeys(names):
        number = _NUMBER.search(name)
        if number is None or len(number.group(1)) > LONGEST:
            plain.append(name)
            continue
        digits = number.group(1)
        width = len(digits) if len(digits) > 1 and digits.startswith("0") else 0
        groups.setdefault((name[: number.start()], name[number.end() :], width), []).append(int(digits))
    for (before, after, width), numbers in groups.items():
        yield Numbered(before, after, width, tuple(_ranges(sorted(set(numbers)))))
    yield from plain


def fold(names: Iterable[str]) -> str:
    """Return the shortest usual form of a set of names."""
    return ",".join(_folded(one) if isinstance(one, Numbered) else one for one in runs(names))


def _split(pattern: str) -> Iterator[str]:
    depth, start = 0, 0
    for place, sign in enumerate(pattern):
        depth += (sign == "[") - (sign == "]")
        if depth not in (0, 1):
            raise BadPattern(pattern)
        if sign == "," and depth == 0:
            yield from filter(None, (pattern[start:place].strip(),))
            start = place + 1
    if depth:
        raise BadPattern(pattern)
    yield from filter(None, (pattern[start:].strip(),))


def _expanded(part: str) -> Iterator[str]:
    pieces = _PART.split(part)
    choices = [
        [piece] if place % 2 == 0 else list(_numbers(piece, part)) for place, piece in enumerate(pieces)
    ]
    total = 1
    for options in choices:
        total *= len(options)
    if total > MOST or any("[" in piece or "]" in piece for piece in pieces[::2]):
        raise BadPattern(part)
    return ("".join(one) for one in product(*choices))


def _numbers(text: str, part: str) -> Iterator[str]:
    for item in text.split(","):
        found = _RANGE.match(item.strip())
        if found is None:
            raise BadPattern(part)
        first, last = found.group(1), found.group(2) or found.group(1)
        if int(last) < int(first) or int(last) - int(first) > MOST:
            raise BadPattern(part)
        for number in range(int(first), int(last) + 1):
            yield str(number).zfill(len(first))


def _ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = number
        elif number != last + 1:
            yield first, last
            first = number
        last = number
    if first is not None and last is not None:
        yield first, last


def _folded(one: Numbered) -> str:
    shown = [
        str(first).zfill(one.width) + (f"-{str(last).zfill(one.width)}" if last > first else "")
        for first, last in one.ranges
    ]
    if len(shown) == 1 and "-" not in shown[0]:
        return f"{one.before}{shown[0]}{one.after}"
    return f"{one.before}[{','.join(shown)}]{one.after}"
