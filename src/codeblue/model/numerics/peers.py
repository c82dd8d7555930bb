"""GPUs of one kind in one machine: the same operation must give the same bits on each."""

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from codeblue.model.facts.trials.numerics import Computed, NumericsTried
from codeblue.model.numerics.precision import streams, usable, wrong
from codeblue.model.numerics.repeats import Why, unrepeated
from codeblue.model.section import was_read

KIND = ("gpu", "capability", "multiprocessors")
"""What must be equal for GPUs to be of one kind; a slice of a GPU has fewer multiprocessors."""
WORSE = 2.0
"""How many times the error of the others makes a result worse and not only different."""


class Odd(Struct, frozen=True):
    """A GPU that gives other bits than its peers. Without a majority both of a pair are odd."""

    index: str
    names: tuple[str, ...]
    """Of operations and streams."""
    peer: str
    """One of those it was compared with."""
    alone: bool
    """It is outvoted by the others, or its results are the worse ones."""


def odd(devices: Mapping[str, NumericsTried]) -> Iterator[Odd]:
    """Yield the GPUs whose results differ from those of their own kind."""
    for group in _kinds(devices).values():
        if len(group) > 1:
            yield from _among(group)


def _kinds(devices: Mapping[str, NumericsTried]) -> dict[tuple[str, ...], dict[str, NumericsTried]]:
    kinds: dict[tuple[str, ...], dict[str, NumericsTried]] = {}
    for index, device in devices.items():
        if was_read(device, "versions") and "gpu" in device.versions:
            kind = tuple(device.versions.get(name, "") for name in KIND)
            kinds.setdefault(kind, {})[index] = device
    return kinds


def _among(group: Mapping[str, NumericsTried]) -> Iterator[Odd]:
    results = {index: _comparable(device) for index, device in group.items()}
    differing: dict[str, list[tuple[str, str, bool]]] = {}
    for name in set.intersection(*(set(rows) for rows in results.values())):
        rows = {index: rows[name] for index, rows in results.items()}
        if any(row.changed for row in rows.values()):
            continue  # what does not repeat on one GPU says nothing about two
        for index, peer, alone in _outvoted(rows):
            differing.setdefault(index, []).append((name, peer, alone))
    for index, found in sorted(differing.items()):
        found.sort()
        sure = any(alone for _, _, alone in found)
        yield Odd(index, tuple(name for name, _, _ in found), found[0][1], sure)


def _comparable(device: NumericsTried) -> dict[str, Computed]:
    """Return what depends on the kind of the GPU alone.

    With the benchmark of cuDNN on, the clock chooses the algorithm of convolutions.
    """
    timed = device.flags.get("cudnn.benchmark") == "True"
    on_gpu = {name: row for name, row in streams(device).items() if name.endswith("/gpu")}
    both = {**usable(device), **on_gpu}
    return {name: row for name, row in both.items() if not (timed and name.startswith("convolution"))}


def _outvoted(rows: Mapping[str, Computed]) -> Iterator[tuple[str, str, bool]]:
    """Yield index, a peer with other bits, and whether the GPU is the odd one for sure."""
    votes = Counter(row.digest for row in rows.values())
    [(most, count), *others] = votes.most_common()
    if not others:
        return
    majority = count > others[0][1]
    typical = next(index for index, row in rows.items() if row.digest == most)
    for index, row in rows.items():
        if majority and row.digest != most:
            yield index, typical, True
        elif not majority:
            peer = next(one for one, other in rows.items() if other.digest != row.digest)
            if _worse(rows[peer], row):
                continue
            yield index, peer, _worse(row, rows[peer])


def _worse(one: Computed, other: Computed) -> bool:
    """True if the first result is much further off; streams have no error."""
    if not (was_read(one, "relative_error") and was_read(other, "relative_error")):
        return False
    if min(one.relative_error, other.relative_error) < 0:
        return one.relative_error < 0 <= other.relative_error
    return one.relative_error > WORSE * other.relative_error


def sick(devices: Mapping[str, NumericsTried]) -> dict[str, str]:
    """Return the GPUs that compute otherwise than their own kind does: a chip is at fault, not the software.

    By index: an operation or stream that other GPUs of the kind give alike, repeat, or compute right.
    """
    found = {one.index: one.names[0] for one in odd(devices) if one.alone}
    for group in _kinds(devices).values():
        bad = {index: name for index, device in group.items() if (name := _bad(device)) is not None}
        if len(bad) < len(group):
            found = {**bad, **found}
    return found


def _bad(device: NumericsTried) -> str | None:
    """Return an operation that is wrong, or varies although it never may."""
    wrongly = (name for name, row in usable(device).items() if wrong(name, row))
    return next(iter([*unrepeated(device).get(Why.NEVER, ()), *wrongly]), None)
