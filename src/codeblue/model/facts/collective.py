"""Facts about collective operations that a test measured."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class RankGpu(Row, frozen=True, kw_only=True):
    """One GPU that takes part."""

    machine: Fact[int] = UNREAD
    """Number of its machine, in the order in which they are listed."""
    device: Fact[int] = UNREAD
    """Its number on that machine."""
    name: Fact[str] = UNREAD
    """As the driver calls it."""


class Transfer(Row, frozen=True, kw_only=True):
    """One size of message."""

    size_bytes: Fact[int] = UNREAD
    reduction: Fact[str | None] = UNREAD
    """``sum``, ``prod``, …; None for an operation that only moves data."""
    bus_bandwidth: Fact[float] = UNREAD
    """GB/s, the faster of out-of-place and in-place; comparable to the speed of the links."""
    wrong: Fact[int | None] = UNREAD
    """Values that are not what they should be; None if they were not compared."""


class CollectiveTest(Row, frozen=True, kw_only=True):
    """One run of a test."""

    program: Fact[str | None] = UNREAD
    """E.g. ``all_reduce_perf``; None if the text does not say."""
    gpus: Fact[dict[str, RankGpu]] = UNREAD
    """By rank; not read if two ranks of the same number are listed."""
    transfers: Fact[list[Transfer]] = UNREAD
    """In the order in which they were measured."""
    wrong: Fact[int] = UNREAD
    """Checks that failed in the whole run; not read of a run that did not end."""
    average: Fact[float] = UNREAD
    """Bus bandwidth over all sizes, GB/s: small ones lower it."""


class CollectiveTests(Section, frozen=True, kw_only=True):
    """Runs of nccl-tests, out of their pasted output."""

    NAME: ClassVar[str] = "collective_tests"
    TABLE: ClassVar[str] = "tests"

    tests: Fact[list[CollectiveTest]] = UNREAD
    tuned: Fact[list[str]] = UNREAD
    """Variables in the same text that hold NCCL to an algorithm, a protocol or a few channels."""
