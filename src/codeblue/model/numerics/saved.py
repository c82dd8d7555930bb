"""A fingerprint as a file, to compare with later or elsewhere."""

from msgspec import Struct

from codeblue.model.facts.trials.numerics import Canary, Computed, NumericsTried
from codeblue.model.numerics.band import LAST
from codeblue.model.numerics.precision import FULL, SUITE, split, streams, usable
from codeblue.model.section import NotRead

SCHEMA = "codeblue/numerics/1"


class Saved(Struct, frozen=True, kw_only=True):
    """The document."""

    schema: str = SCHEMA
    codeblue: str = ""
    """Version that wrote it."""
    target: str = ""
    host_name: str | None = None
    """Pseudonym."""
    time: str | None = None
    devices: dict[str, NumericsTried]


class OtherSuite(ValueError):
    """The operations or their inputs were others: nothing can be compared."""


def check(devices: dict[str, NumericsTried]) -> None:
    """Raise ValueError if something that is compared is missing, or OtherSuite."""
    complete = 0
    try:
        for device in devices.values():
            rows = usable(device)
            if not rows:
                continue  # this device did not come so far
            if device.suite != SUITE:
                raise OtherSuite(f"suite {device.suite}")
            _settings(device)
            for name, row in rows.items():
                _operation(name, row)
            for row in streams(device).values():
                _repeated(row)
            _canary(device.canary)
            complete += 1
    except NotRead as missing:
        raise ValueError(str(missing)) from None
    if not complete:
        raise ValueError("no device with results")


def _settings(device: NumericsTried) -> None:
    for table in (device.flags, device.variables, device.versions):
        if not all(table):
            raise ValueError("a setting without a name")


def _operation(name: str, row: Computed) -> None:
    if split(name)[1] not in FULL:
        raise ValueError(f"{name}: unknown type")
    _repeated(row)
    if row.relative_error != -1 and (row.relative_error < 0 or row.peak < 0):
        raise ValueError(f"{name}: negative error")


def _repeated(row: Computed) -> None:
    if not row.digest or row.changed < 0:
        raise ValueError("a result without digest")


def _canary(canary: Canary) -> None:
    curves = (canary.losses, canary.exact, *canary.orders)
    if len(curves) < 5 or {len(curve) for curve in curves} != {len(canary.losses)}:
        raise ValueError("the curves of the training are incomplete")
    if len(canary.losses) < LAST or not all(canary.exact):
        raise ValueError("the curves of the training are too short")
