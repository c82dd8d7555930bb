"""Log lines that matched a signature."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Sighting(Row, frozen=True, kw_only=True):
    """One matching line."""

    fault: str
    """The fault whose signature matched."""
    text: str
    """The line, at most 500 characters."""
    file: str
    line: int
    values: dict[str, str] = {}
    """Captured parameters."""
    rank: int | None = None
    host: str | None = None
    time: str | None = None
    note: bool = False
    """True if the reporter wrote the line; no program printed it."""
    clue: int | None = None
    """Number of the fault's clue to which the line belongs; None if a signature matched."""
    repeats: int = 1
    """How often the same fault was seen in this source."""


class Told(Row, frozen=True, kw_only=True):
    """One line of a short text, whether a signature knows it or not."""

    text: str
    file: str
    line: int


class Sightings(Section, frozen=True, kw_only=True):
    """What the signatures found in the given texts and in the trial's own words."""

    NAME: ClassVar[str] = "sightings"

    seen: Fact[list[Sighting]] = UNREAD
    unrecognised_errors: Fact[list[str]] = UNREAD
    """Lines that look like the final error of a program and match no signature, at most five."""

    unusual: list[Told] = []
    """What a short text says, but for harmless lines: at most 60. Empty for a long text."""

    def of(self, fault: str) -> list[int]:
        """Return the positions in ``seen`` of this fault's sightings."""
        return [n for n, sighting in enumerate(self.seen) if sighting.fault == fault]
