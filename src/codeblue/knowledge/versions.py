"""Versions of NVIDIA software: dotted numbers, compared part by part."""

import re
from functools import lru_cache
from itertools import zip_longest

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


@lru_cache(4096)
def parts(version: str) -> tuple[int, ...]:
    """Return the leading dotted numbers, e.g. ``(2, 11, 0)`` for ``2.11.0+cu130``.
    Raises ValueError if the text does not begin with a number.
    """
    found = _NUMBERS.match(version)
    if found is None:
        raise ValueError(f"not a version: {version!r}")
    return tuple(int(part) for part in found.group().split("."))


def older(one: str, other: str) -> bool:
    """Return whether ``one`` is an older version than ``other``; missing parts count as zero.

    Raises ValueError if one of them does not begin with a number.
    """
    for mine, theirs in zip_longest(parts(one), parts(other), fillvalue=0):
        if mine != theirs:
            return mine < theirs
    return False


def branch(version: str) -> int:
    """Return the driver branch, e.g. 580 for ``580.159.04``.

    Raises ValueError if the text does not begin with a number.
    """
    return parts(version)[0]


def cuda_text(number: int) -> str:
    """Return a CUDA version as people write it, e.g. ``13.0`` for 13000."""
    return f"{number // 1000}.{number % 1000 // 10}"


def satisfies(version: str, rule: str) -> bool:
    """Return whether a version is what a site's rule asks for.

    A rule is ``580``, ``2.11.*``, ``>=13.0`` or ``2.11.0+cu130``.
    Raises ValueError if the version does not begin with a number.
    """
    if rule.startswith(">="):
        return not older(version, rule[2:])
    numbers, plus, local = rule.removesuffix(".*").partition("+")
    wanted = parts(numbers)
    here = (*parts(version), *(0 for _ in wanted))[: len(wanted)]
    return here == wanted and (not plus or version.partition("+")[2] == local)
