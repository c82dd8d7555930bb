"""Names of nodes in the short form that schedulers write: ``gpu[001-128],login1``."""

import re
from collections.abc import Iterable, Iterator
from itertools import product

MOST = 200_000
"""Names that one pattern may stand for; more is a slip of the pen."""

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


def fold(names: Iterable[str]) -> str:
    """Return the shortest usual form of a set of names."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    plain: list[str] = []
    for name in dict.fromkeys(names):
        number = _NUMBER.search(name)
        if number is None:
            plain.append(name)
            continue
        digits = number.group(1)
        width = len(digits) if len(digits) > 1 and digits.startswith("0") else 0
        groups.setdefault((name[: number.start()], name[number.end() :], width), []).append(int(digits))
    folded = [_folded(*key, sorted(set(numbers))) for key, numbers in groups.items()]
    return ",".join([*folded, *plain])


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


def _folded(before: str, after: str, width: int, numbers: list[int]) -> str:
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = [
        str(first).zfill(width) + (f"-{str(last).zfill(width)}" if last > first else "")
        for first, last in ranges
    ]
    if len(numbers) == 1:
        return f"{before}{shown[0]}{after}"
    return f"{before}[{','.join(shown)}]{after}"
