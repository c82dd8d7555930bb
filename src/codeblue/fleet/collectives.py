"""Collectives over many nodes by the site's launcher, and over fewer of them until the culprit is named."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from codeblue.fleet.bisection import Found, bisect
from codeblue.model.facts import NcclTrial
from codeblue.model.section import State, was_read

SHARE = 0.7
"""Of the best half's speed: rings over more nodes are hardly slower, and a sick link costs more than this."""
OPERATION = "all_reduce"

Ran = Callable[[tuple[str, ...]], NcclTrial]


class Run(Struct, frozen=True, kw_only=True):
    """One run over some nodes."""

    nodes: tuple[str, ...]
    busbw: float | None
    """GB/s of the largest all_reduce; None if it failed."""
    why: str = ""


class Told(Struct, frozen=True, kw_only=True):
    """What runs over all, over halves and over pairs have shown."""

    runs: tuple[Run, ...]
    floor: float | None
    """GB/s below which a run counts as slow; None if there was nothing to compare."""
    found: Found | None
    """None if the run over all is well."""


def accepted(nodes: Sequence[str], ran: Ran, floor: float | None, most: int) -> Told:
    """Run over all; if that fails, or is slower than the floor or than its halves, look for the culprit.

    ``most`` bounds all runs. Without a floor two halves are run too, and the best of them is the measure.
    """
    runs: list[Run] = []

    def run(chosen: tuple[str, ...]) -> Run:
        known = next((one for one in runs if set(one.nodes) == set(chosen)), None)
        if known is None:
            known = _run(chosen, ran(chosen))
            runs.append(known)
        return known

    whole = run(tuple(nodes))
    middle = len(nodes) // 2
    halves = [half for half in (tuple(nodes[:middle]), tuple(nodes[middle:])) if len(half) >= 2]
    if floor is None and len(halves) == 2 and most > 2:
        best = max((one.busbw or 0.0 for one in (whole, *map(run, halves))), default=0.0)
        floor = best * SHARE or None

    def good(chosen: tuple[str, ...]) -> bool:
        speed = run(chosen).busbw
        return speed is not None and speed >= (floor or 0.0)

    found = None if good(tuple(nodes)) else bisect(nodes, good, most - len(runs) + 1)
    return Told(runs=tuple(runs), floor=floor, found=found)


def _run(nodes: tuple[str, ...], trial: NcclTrial) -> Run:
    if trial.state is not State.READ:
        return Run(nodes=nodes, busbw=None, why=trial.reason or trial.state.value)
    errors = [str(row.error) for row in trial.devices.values() if row.error]
    if errors:
        return Run(nodes=nodes, busbw=None, why=errors[0])
    speed = _speed(trial)
    return Run(nodes=nodes, busbw=speed, why="" if speed is not None else "no speed was measured")


def _speed(trial: NcclTrial) -> float | None:
    found = [
        (int(size), one.busbw)
        for row in trial.devices.values()
        if was_read(row, "collectives")
        for size, one in row.collectives.get(OPERATION, {}).items()
        if was_read(one, "busbw")
    ]
    return max(found)[1] if found else None
