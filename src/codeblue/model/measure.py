"""One number that a trial measured, and what could be expected."""

from enum import Enum

from msgspec import Struct

from codeblue.model.text import Message


class Better(str, Enum):
    """Which way a number improves."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Measure(Struct, frozen=True, kw_only=True):
    """What one device, pair or machine reached."""

    trial: str
    """``gpu``, ``memory``, ``links``, ``nccl``, ``numerics`` or ``loader``."""
    subject: str
    """E.g. ``gpu:0``, ``gpu:0-gpu:1``, ``machine``."""
    key: str
    """Name within trial and subject, kebab-case; stays the same over releases."""
    name: Message
    value: float
    unit: str
    ceiling: float | None = None
    """What the hardware could do at most by its data sheet, in the same unit."""
    better: Better = Better.HIGHER
    note: Message | None = None

    @property
    def share(self) -> float | None:
        """The part of the ceiling that was reached."""
        return self.value / self.ceiling if self.ceiling else None
