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
    """The last time printed up to this line, as written."""
    when: str | None = None
    """The same in ISO 8601, if the text says the year; with a zone if it says that too."""
    note: bool = False
    """True if the reporter wrote the line; no program printed it."""
    clue: int | None = None
    """Number of the fault's clue to which the line belongs; None if a signature matched."""
    repeats: int = 1
    """How many lines this one stands for: itself, and later ones of the same fault, file, rank and host
    that were counted but not kept. The sum over all sightings of a fault is the number of its lines."""
    last_line: int | None = None
    """Where ``repeats`` is more than one: the last line that this one stands for."""
    last_time: str | None = None
    last_when: str | None = None


class Stream(Row, frozen=True, kw_only=True):
    """What one rank, or a whole file, wrote: when it began and when it fell silent."""

    file: str
    rank: int | None = None
    host: str | None = None
    label: str = ""
    """What stands in front of its lines, if several streams share the file, e.g. ``[rank3]:``."""
    lines: int | None = None
    """None in a large file that several share, where counting would cost more than the search."""
    first_time: str | None = None
    """As written, like ``Sighting.time``."""
    first_when: str | None = None
    last_time: str | None = None
    last_when: str | None = None
    last_line: int | None = None
    """Number of its last line."""
    last_text: str = ""
    """Its last line, at most 500 characters."""
    enqueued: int | None = None
    """In a dump of PyTorch's flight recorder, whose ``label`` is the process group: the last collective
    that the rank asked for."""
    completed: int | None = None
    """The last one that it completed."""


class Told(Row, frozen=True, kw_only=True):
    """One line of a short text, whether a signature knows it or not."""

    text: str
    file: str
    line: int


class Skipped(Row, frozen=True, kw_only=True):
    """A given file that was not searched, or not to its end."""

    file: str
    why: str
    """One of ``model.skipped.REASONS``."""
    detail: str = ""
    """The words of the system, e.g. ``Permission denied``."""


class Sightings(Section, frozen=True, kw_only=True):
    """What the signatures found in the given texts and in the trial's own words."""

    NAME: ClassVar[str] = "sightings"

    seen: Fact[list[Sighting]] = UNREAD
    unrecognised_errors: Fact[list[str]] = UNREAD
    """Lines that look like the final error of a program and match no signature, at most five."""
    streams: Fact[list[Stream]] = UNREAD
    """Who wrote the texts, file by file and rank by rank."""
    skipped: Fact[list[Skipped]] = UNREAD
    """Files that were not searched, or not to their end."""
    unusual: list[Told] = []
    """What a short text says, but for harmless lines: at most 60. Empty for a long text."""

    def of(self, fault: str) -> list[int]:
        """Return the positions in ``seen`` of this fault's sightings."""
        return [n for n, sighting in enumerate(self.seen) if sighting.fault == fault]
