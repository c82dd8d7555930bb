"""Which node or link spoils a run over many: decided by runs over fewer. Decides only, starts nothing.

It takes for granted that what spoils a run spoils every run that contains it.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

Good = Callable[[tuple[str, ...]], bool]
"""Runs over these nodes, two at least, and tells whether that was well."""


class Spent(Exception):
    """No more runs are allowed."""


class Found(Struct, frozen=True, kw_only=True):
    """What was found."""

    nodes: tuple[str, ...] = ()
    """Bad with any partner."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs that are bad together, each of them good with another partner."""
    undecided: tuple[str, ...] = ()
    """Among these is something bad, but it takes more nodes or more runs to tell what."""
    runs: int = 0


class _Runs:
    """Counts runs, and runs nothing of which the result is known already."""

    def __init__(self, good: Good, most: int) -> None:
        self._good, self._most = good, most
        self._known: dict[frozenset[str], bool] = {}
        self.count = 0

    def well(self, nodes: Sequence[str]) -> bool:
        """Return whether a run over these is well. Raises Spent."""
        chosen = frozenset(nodes)
        for known, well in self._known.items():
            if (well and chosen <= known) or (not well and known <= chosen):
                return well
        if self.count >= self._most:
            raise Spent
        self.count += 1
        self._known[chosen] = self._good(tuple(nodes))
        return self._known[chosen]


def bisect(nodes: Sequence[str], good: Good, most: int) -> Found:
    """Return what spoils a run over all of these nodes, in at most ``most`` runs.

    It takes about twice the logarithm of their number for each bad node or link.
    """
    runs = _Runs(good, most)
    bad: list[str] = []
    links: list[tuple[str, str]] = []
    left = list(dict.fromkeys(nodes))
    try:
        while len(left) >= 2 and not runs.well(left):
            first, second = _pair(left, runs)
            worse = _worse((first, second), [one for one in nodes if one not in (first, second, *bad)], runs)
            if worse is None:
                return _found(bad, links, (first, second), runs)
            if not worse:
                links.append((first, second))
                left.remove(second)  # the first may have other bad links
            bad += worse
            left = [one for one in left if one not in worse]
    except Spent:
        return _found(bad, links, tuple(left), runs)
    # Of a single node that is left nothing is known.
    alone = tuple(left) if len(left) == 1 and bad else ()
    return _found(bad, links, alone, runs)


def _found(
    bad: Sequence[str], links: Sequence[tuple[str, str]], undecided: tuple[str, ...], runs: _Runs
) -> Found:
    real = tuple(link for link in links if not set(link) & set(bad))
    return Found(nodes=tuple(bad), links=real, undecided=undecided, runs=runs.count)


def _pair(nodes: Sequence[str], runs: _Runs) -> tuple[str, str]:
    """Return a pair that is bad together, of nodes that are."""
    second = nodes[_shortest(nodes, (), runs) - 1]
    before = nodes[: nodes.index(second)]
    return before[_shortest(before, (second,), runs) - 1], second


def _shortest(nodes: Sequence[str], beside: tuple[str, ...], runs: _Runs) -> int:
    """Return how many of the first nodes it takes, beside others, for a bad run."""
    low, high = 2 - len(beside), len(nodes)
    while low < high:
        middle = (low + high) // 2
        if runs.well((*nodes[:middle], *beside)):
            low = middle + 1
        else:
            high = middle
    return low


def _worse(pair: tuple[str, str], others: Sequence[str], runs: _Runs) -> list[str] | None:
    """Return which of a bad pair are bad nodes, none if it is the link; None if nobody is left to tell.

    Each is tried with others: one that is well with anybody is no bad node.
    """
    well: set[str] = set()
    for tried, other in enumerate(reversed(others), start=1):
        for one in pair:
            if one not in well and runs.well((one, other)):
                well.add(one)
        if len(well) == 2:
            return []
        # Who is well with one of the pair is no bad node; a second partner rules out a bad link.
        if well and tried >= 2:
            return [one for one in pair if one not in well]
    if well:
        return [one for one in pair if one not in well]
    return list(pair) if len(others) >= 2 and _any_good(others, runs) else None


def _any_good(others: Sequence[str], runs: _Runs) -> bool:
    """Return whether any two neighbours among these are well together."""
    return any(runs.well(pair) for pair in pairwise(others))
