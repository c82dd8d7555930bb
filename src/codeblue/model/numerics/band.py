"""Whether a short training goes as it should: the loss against what is usual by chance."""

from math import inf, sqrt
from statistics import mean, stdev

from msgspec import Struct

from codeblue.model.facts.trials.numerics import Canary

LAST = 5
"""Points of the curve, a quarter, whose mean is the final loss: single batches vary more."""

STUDENT = {3: 31.60, 4: 12.92, 5: 8.610, 6: 6.869, 7: 5.959, 8: 5.408}
"""Quantile 0.9995 of Student's distribution for a sample of this size: one of a thousand healthy runs would
be outside. https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm"""


class Band(Struct, frozen=True):
    """The final loss, and between what it would be with other orders of the same batches."""

    loss: float
    """-1 if it is no number."""
    low: float
    high: float

    @property
    def left(self) -> bool:
        """True if the loss is no number, or outside."""
        return self.loss < 0 or not self.low <= self.loss <= self.high


def final(losses: list[float]) -> float:
    """Return the mean of the last points; -1 if any point is no number."""
    return mean(losses[-LAST:]) if losses and min(losses) >= 0 else -1.0


def band(losses: list[float], canary: Canary) -> Band:
    """Return where the loss stands against the exact runs of a canary.

    The prediction interval of one more run, from the spread of those that there are; without an upper end
    where the processor itself computed no numbers.
    """
    usual = [final(one) for one in (canary.exact, *canary.orders)]
    if min(usual) < 0:
        return Band(final(losses), 0.0, inf)
    count = min(len(usual), max(STUDENT))
    half = STUDENT[count] * stdev(usual) * sqrt(1 + 1 / count)
    return Band(final(losses), mean(usual) - half, mean(usual) + half)


def deviation(canary: Canary) -> float:
    """Return the relative root mean square by which the curve is off the exact one; -1 if it is no number."""
    if min(canary.losses) < 0:
        return -1.0
    squares = [(one / exact - 1) ** 2 for one, exact in zip(canary.losses, canary.exact, strict=True)]
    return sqrt(mean(squares))
