"""Compute speed."""

from typing import ClassVar

from codeblue.model.facts.trials.base import Measured, Tried
from codeblue.model.section import UNREAD, Fact, Row


class Load(Row, frozen=True, kw_only=True):
    """A GPU while it was at work, by NVML. Missing fields were not supported."""

    clock_mhz: Fact[int] = UNREAD
    """The middle one of the samples."""
    clock_lowest_mhz: Fact[int] = UNREAD
    clock_max_mhz: Fact[int] = UNREAD
    power_watts: Fact[float] = UNREAD
    power_limit_watts: Fact[float] = UNREAD
    power_default_watts: Fact[float] = UNREAD
    temperature: Fact[int] = UNREAD
    """The highest, degrees Celsius."""
    throttle: Fact[dict[str, float]] = UNREAD
    """By reason for lowered clocks, a bit of NVML's mask: the part of the samples with it."""


class Product(Row, frozen=True, kw_only=True):
    """Matrix products of one type."""

    error: Fact[str | None] = None
    """Why this type could not be tried."""
    size: Fact[int] = UNREAD
    relative_error: Fact[float] = UNREAD
    """Against float64."""
    tflops: Fact[float] = UNREAD
    """10^12 operations a second, steady."""
    tflops_first: Fact[float] = UNREAD
    """The first moment."""
    ramp_seconds: Fact[float] = UNREAD
    """Until the speed was near its final value."""
    worst_row: Fact[float] = UNREAD
    """How far the worst row is off against the typical one; about 6 by chance, -1 if it is no number."""
    changed: Fact[int] = UNREAD
    """Values that were different when the same product was computed again."""
    digest: Fact[str] = UNREAD
    """Of all bits of the result."""


class GpuTried(Measured, frozen=True, kw_only=True):
    """Compute speed of one device."""

    products: Fact[dict[str, Product]] = UNREAD
    """By type: bf16, fp16, tf32, fp32, fp8."""
    load: Fact[Load] = UNREAD


class GpuTrial(Tried, frozen=True, kw_only=True):
    """Matrix products on all devices at once."""

    NAME: ClassVar[str] = "gpu_trial"
    TABLE: ClassVar[str] = "devices"

    devices: Fact[dict[str, GpuTried]] = UNREAD
    """By the number that torch gives them; ``0`` is the processor where there is no GPU."""
