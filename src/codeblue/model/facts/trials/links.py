"""Copies between GPUs."""

from typing import ClassVar

from codeblue.model.facts.trials.base import Measured, Tried
from codeblue.model.section import UNREAD, Fact, Row


class Pair(Row, frozen=True, kw_only=True):
    """Copies from one GPU to another."""

    error: Fact[str | None] = None
    """What kept this pair from being measured."""
    access: Fact[bool] = UNREAD
    """CUDA lets the first reach into the memory of the second; else copies pass main memory."""
    wrong: Fact[dict[str, int]] = UNREAD
    """Words that arrived changed, by way and size of the pattern; empty if none did."""
    gbs: Fact[float] = UNREAD
    """GB/s of large copies, one direction at a time."""
    both_gbs: Fact[float] = UNREAD
    """GB/s of both directions together, at the same time."""
    latency_us: Fact[float] = UNREAD
    """Microseconds of a copy of 16 bytes."""


class LinksTried(Measured, frozen=True, kw_only=True):
    """What one worker measured for the whole machine."""

    alone: Fact[bool] = False
    """There are no two GPUs, so there is nothing to measure."""
    pairs: Fact[dict[str, Pair]] = UNREAD
    """By the numbers that torch gives both GPUs, sender first, e.g. ``0-1``."""


class LinksTrial(Tried, frozen=True, kw_only=True):
    """Copies between all pairs of GPUs, one pair at a time."""

    NAME: ClassVar[str] = "links_trial"
    TABLE: ClassVar[str] = "devices"

    devices: Fact[dict[str, LinksTried]] = UNREAD
    """One row: that of the worker that did it."""
