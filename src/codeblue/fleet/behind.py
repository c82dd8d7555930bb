"""Who measures less than the others: the median of each number, and the nodes that are far from it."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from codeblue.fleet.spread import spread
from codeblue.model.measure import Better, Measure

FEWEST = 4
"""Numbers of one kind of which a median says something."""
WORTH = 0.1
"""Share of the median: on a fleet in which all are nearly equal, less is no difference to anybody."""


class Behind(Struct, frozen=True, kw_only=True):
    """One number that is worse than those of the others."""

    node: str
    subject: str
    value: float


class Peers(Struct, frozen=True, kw_only=True):
    """One number of all nodes, on hardware with the same ceiling."""

    measure: Measure
    """That of the first node, for its name and unit."""
    nodes: int
    count: int
    median: float
    worst: float
    behind: tuple[Behind, ...] = ()


def peers(found: Mapping[str, Sequence[Measure]]) -> list[Peers]:
    """Return each number with its median; ``found`` are measures by node."""
    kinds: dict[tuple[object, ...], list[tuple[str, Measure]]] = {}
    for node, measures in found.items():
        for one in measures:
            key = (one.trial, one.key, one.unit, one.ceiling, one.subject.rstrip("0123456789"))
            kinds.setdefault(key, []).append((node, one))
    return [_peers(rows) for rows in kinds.values()]


def _peers(rows: Sequence[tuple[str, Measure]]) -> Peers:
    first = rows[0][1]
    values = [one.value for _, one in rows]
    found = spread((value, 1) for value in values)
    middle = found.median
    limit = found.far(WORTH * abs(middle))
    sign = {Better.HIGHER: 1.0, Better.LOWER: -1.0, Better.NEITHER: 0.0}[first.better]
    far = [
        Behind(node=node, subject=one.subject, value=one.value)
        for node, one in rows
        if len(rows) >= FEWEST and sign * (middle - one.value) > limit
    ]
    return Peers(
        measure=first,
        nodes=len({node for node, _ in rows}),
        count=len(rows),
        median=middle,
        worst=min(values) if sign >= 0 else max(values),
        behind=tuple(sorted(far, key=lambda one: -sign * (middle - one.value))),
    )
