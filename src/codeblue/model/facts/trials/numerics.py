"""What a device computes: how exactly, the same again, and which bits."""

from typing import ClassVar

from codeblue.model.facts.trials.base import Measured, Tried
from codeblue.model.section import UNREAD, Fact, Row, Section


class Computed(Row, frozen=True, kw_only=True):
    """One operation in one type of numbers, or one stream of random numbers."""

    error: Fact[str | None] = None
    """Why it could not be tried; the facts are then missing."""
    relative_error: Fact[float] = UNREAD
    """‖result - exact‖ / ‖exact‖ against float64; -1 if a value is no number. Streams have none."""
    peak: Fact[float] = UNREAD
    """The largest error against the root of the mean square: below 30 by chance."""
    changed: Fact[int] = UNREAD
    """Repeated runs whose bits were not those of the first."""
    digest: Fact[str] = UNREAD
    """Of all bits of the result."""


class Canary(Row, frozen=True, kw_only=True):
    """The loss of a short training with a known start; each point is a mean, -1 if it is no number."""

    steps: Fact[int] = UNREAD
    losses: Fact[list[float]] = UNREAD
    """In float32 on the device."""
    changed: Fact[int] = UNREAD
    """Points that were different in a second run."""
    exact: Fact[list[float]] = UNREAD
    """In float64 on the processor."""
    orders: Fact[list[list[float]]] = UNREAD
    """Likewise, with the batches in other orders: how much the loss varies by chance."""


class NumericsTried(Measured, frozen=True, kw_only=True):
    """What one device computes, and with what."""

    suite: Fact[int] = UNREAD
    """Of the operations and their inputs; only equal ones can be compared."""
    flags: Fact[dict[str, str]] = UNREAD
    """Of torch, as the job's interpreter starts; those of ``torch.backends`` by what follows that name."""
    variables: Fact[dict[str, str]] = UNREAD
    """Environment variables of the libraries that compute."""
    versions: Fact[dict[str, str]] = UNREAD
    """Of the libraries and the driver; also ``gpu``, ``processor`` and ``cpu-capability``."""
    operations: Fact[dict[str, Computed]] = UNREAD
    """By operation and type, such as ``matmul/fp32``."""
    streams: Fact[dict[str, Computed]] = UNREAD
    """Random numbers by distribution and place, such as ``normal/gpu``."""
    canary: Fact[Canary] = UNREAD


class NumericsTrial(Tried, frozen=True, kw_only=True):
    """A fingerprint of what each device computes."""

    NAME: ClassVar[str] = "numerics_trial"
    TABLE: ClassVar[str] = "devices"

    devices: Fact[dict[str, NumericsTried]] = UNREAD
    """By the number that torch gives them; ``0`` is the processor where there is no GPU."""


class NumericsBase(Section, frozen=True, kw_only=True):
    """An earlier fingerprint, or that of another environment, to compare with."""

    NAME: ClassVar[str] = "numerics_base"
    TABLE: ClassVar[str] = "devices"

    name: Fact[str] = UNREAD
    """The file or target as the user wrote it."""
    host_name: Fact[str | None] = UNREAD
    """Pseudonym."""
    time: Fact[str | None] = UNREAD
    """When it was measured, UTC, ISO 8601."""
    devices: Fact[dict[str, NumericsTried]] = UNREAD
