"""Middle and spread of numbers, by median and MAD: a few that are far off move neither."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

SIGMA = 1.4826
"""Median absolute deviations that make a standard deviation, where numbers scatter as usual."""
FAR = 5.0
"""Standard deviations from the median beyond which a number is far."""


class Spread(Struct, frozen=True):
    """How numbers scatter."""

    median: float
    mad: float
    """Median of the distances from the median."""

    def far(self, least: float) -> float:
        """Return the distance from the median beyond which a number is far, ``least`` at least."""
        return max(FAR * SIGMA * self.mad, least)


def spread(numbers: Iterable[tuple[float, int]]) -> Spread:
    """Return the spread of numbers, each with how often it is there.

    Raises IndexError if there are none.
    """
    rows = list(numbers)
    middle = _median(sorted(rows))
    return Spread(middle, _median(sorted((abs(value - middle), count) for value, count in rows)))


def _median(rows: Sequence[tuple[float, int]]) -> float:
    total = sum(count for _, count in rows)
    low = _at(rows, (total - 1) // 2)
    return low if total % 2 else (low + _at(rows, total // 2)) / 2


def _at(rows: Sequence[tuple[float, int]], place: int) -> float:
    for value, count in rows:
        if place < count:
            return value
        place -= count
    raise IndexError(place)
