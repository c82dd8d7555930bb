"""Memory of the devices and the way to it."""

from typing import ClassVar

from codeblue.model.facts.trials.base import Measured, Tried
from codeblue.model.section import UNREAD, Fact, Row


class OwnMemory(Row, frozen=True, kw_only=True):
    """Speed of a device's own memory, GB/s, counting what is read and what is written."""

    error: Fact[str | None] = None
    copy_gbs: Fact[float] = UNREAD
    triad_gbs: Fact[float] = UNREAD
    """Of c = a + 3 b."""
    bytes: Fact[int] = UNREAD
    """Over how much memory the triad went."""


class PatternTest(Row, frozen=True, kw_only=True):
    """Whether the memory keeps its values."""

    error: Fact[str | None] = None
    bytes: Fact[int] = UNREAD
    wrong: Fact[int] = UNREAD
    """Values of eight bytes that were not what had been written, over all patterns."""
    offsets: Fact[list[int]] = UNREAD
    """Of the first wrong values, in bytes from the start of the tested buffer."""


class FromNode(Row, frozen=True, kw_only=True):
    """Transfers between a device and pinned memory of one NUMA node, GB/s."""

    to_gbs: Fact[float] = UNREAD
    from_gbs: Fact[float] = UNREAD
    processors: Fact[int] = UNREAD
    """How many processors of that node this process may use."""


class HostTransfers(Row, frozen=True, kw_only=True):
    """Transfers between host and device, GB/s, all devices at once."""

    error: Fact[str | None] = None
    bytes: Fact[int] = UNREAD
    """Of one transfer."""
    pageable_to_gbs: Fact[float] = UNREAD
    pageable_from_gbs: Fact[float] = UNREAD
    nodes: Fact[dict[str, FromNode]] = UNREAD
    """By NUMA node; those on which this process may not run are missing."""
    gpu_node: Fact[int | None] = UNREAD
    """NUMA node of the device; None where the firmware does not say."""


class MemoryErrors(Row, frozen=True, kw_only=True):
    """Counters of the driver. Missing ones are not supported."""

    corrected: Fact[int] = UNREAD
    """Since the driver was loaded."""
    uncorrected: Fact[int] = UNREAD
    remapped: Fact[int] = UNREAD
    """Rows, for corrected and for uncorrected errors."""


class MemoryTried(Measured, frozen=True, kw_only=True):
    """Memory of one device."""

    total_bytes: Fact[int] = UNREAD
    device: Fact[OwnMemory] = UNREAD
    pattern: Fact[PatternTest] = UNREAD
    host: Fact[HostTransfers] = UNREAD
    errors_before: Fact[MemoryErrors] = UNREAD
    errors_after: Fact[MemoryErrors] = UNREAD


class MemoryTrial(Tried, frozen=True, kw_only=True):
    """Memory of all devices at once."""

    NAME: ClassVar[str] = "memory_trial"
    TABLE: ClassVar[str] = "devices"

    devices: Fact[dict[str, MemoryTried]] = UNREAD
    """By the number that torch gives them; ``0`` is the processor where there is no GPU."""
