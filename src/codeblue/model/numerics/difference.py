"""Two fingerprints: what is different, by how much, and what may be why."""

from collections.abc import Iterator, Mapping
from enum import Enum

from msgspec import Struct, structs

from codeblue.model.facts.trials.numerics import Computed, NumericsBase, NumericsTrial, NumericsTried
from codeblue.model.numerics.band import Band, band
from codeblue.model.numerics.precision import FULL, split, streams, usable
from codeblue.model.numerics.reasons import Reason, reasons
from codeblue.model.numerics.repeats import may_vary
from codeblue.model.section import was_read

GROWN = 4.0
"""How many times an error beyond full precision must be that of the other side to be another precision:
TF32 against float32 is 1000 times, the same precision in another order of summing at most twice."""


class Level(str, Enum):
    """How far apart two results are, the worst first."""

    LESS_EXACT = "less-exact"
    LACKING = "lacking"
    """Could be computed only there."""
    MORE_EXACT = "more-exact"
    OTHER_RANDOM_NUMBERS = "other-random-numbers"
    """The same seed gives another stream."""
    ROUNDING = "rounding"
    """Other bits, the same precision."""
    SAME = "same"


ORDER = list(Level)


class Difference(Struct, frozen=True):
    """One operation or stream that is not the same."""

    name: str
    level: Level
    old: float | None = None
    """Relative error there; None where there is none. Streams have none."""
    new: float | None = None
    varies: bool = False
    """Its bits may vary from run to run on either side."""


class Compared(Struct, frozen=True, kw_only=True):
    """One device against one of the base."""

    index: str
    base_index: str
    count: int
    """Operations and streams that both have."""
    differences: tuple[Difference, ...]
    """The worst first."""
    reasons: tuple[Reason, ...]
    """The likeliest first; none if nothing is different."""
    canary: Band | None
    """This loss against the chance of the base; None where it was not measured on both sides."""

    @property
    def level(self) -> Level:
        """The worst of the differences."""
        return self.differences[0].level if self.differences else Level.SAME

    @property
    def by_chance(self) -> bool:
        """True if nothing is different but bits that vary from run to run."""
        return not self.reasons and all(
            one.varies and one.level is Level.ROUNDING for one in self.differences
        )


def compared(base: NumericsBase, trial: NumericsTrial) -> tuple[Compared, ...]:
    """Return each device of the trial that got so far, against the one of the base that is most like it."""
    return tuple(
        _device(index, device, base_index, base.devices[base_index])
        for index, device in trial.devices.items()
        if was_read(device, "operations")
        if (base_index := _like(index, device, base)) is not None
    )


def worst(found: tuple[Compared, ...]) -> Compared | None:
    """Return the device that differs most; None if none could be compared."""
    return min(found, key=lambda one: (ORDER.index(one.level), -len(one.differences)), default=None)


def _like(index: str, device: NumericsTried, base: NumericsBase) -> str | None:
    """Return the base's device of this number and kind, else the first of the kind, else the first."""
    there = {one: row for one, row in base.devices.items() if was_read(row, "operations")}
    kind = device.versions.get("gpu")
    alike = [one for one, row in there.items() if row.versions.get("gpu") == kind]
    if index in alike:
        return index
    return next(iter(alike or there), None)


def _device(index: str, device: NumericsTried, base_index: str, base: NumericsTried) -> Compared:
    pairs = [(usable(base), usable(device)), (streams(base), streams(device))]
    found = [
        structs.replace(one, varies=_varies(one.name, base) or _varies(one.name, device))
        for old, new in pairs
        for one in _differences(old, new)
    ]
    found.sort(key=lambda one: (ORDER.index(one.level), -_growth(one), one.name))
    loss = None
    if was_read(base, "canary") and was_read(device, "canary"):
        loss = band(device.canary.losses, base.canary)
    precision = any(one.level in (Level.LESS_EXACT, Level.MORE_EXACT) for one in found)
    return Compared(
        index=index,
        base_index=base_index,
        count=sum(len(old.keys() & new.keys()) for old, new in pairs),
        differences=tuple(found),
        reasons=tuple(reasons(base, device, precision)) if found or (loss and loss.left) else (),
        canary=loss,
    )


def _differences(old: Mapping[str, Computed], new: Mapping[str, Computed]) -> Iterator[Difference]:
    for name, row in old.items():
        if name not in new:
            yield Difference(name, Level.LACKING, _error(row))
        elif (level := _level(name, row, new[name])) is not Level.SAME:
            yield Difference(name, level, _error(row), _error(new[name]))


def _varies(name: str, device: NumericsTried) -> bool:
    row = usable(device).get(name)
    return may_vary(name, device) or (row is not None and row.changed > 0)


def _level(name: str, old: Computed, new: Computed) -> Level:
    if old.digest == new.digest:
        return Level.SAME
    before, after = _error(old), _error(new)
    if before is None or after is None:
        return Level.OTHER_RANDOM_NUMBERS
    full = FULL[split(name)[1]]
    if after < 0 or (before >= 0 and after > max(full, GROWN * before)):
        return Level.LESS_EXACT
    if before < 0 or before > max(full, GROWN * after):
        return Level.MORE_EXACT
    return Level.ROUNDING


def _error(row: Computed) -> float | None:
    return row.relative_error if was_read(row, "relative_error") else None


def _growth(one: Difference) -> float:
    """Return how many times the error of there the one of here is, or the other way round."""
    if one.old is None or one.new is None:
        return 0.0
    if min(one.old, one.new) <= 0:
        return float("inf")
    return max(one.old / one.new, one.new / one.old)
