"""What ``lint`` finds in configuration files: problems with their places, fixes, and the whole result."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from codeblue.model.config.place import Place
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.layers import Layer
from codeblue.model.text import Message, Text


class Edit(Struct, frozen=True):
    """New text for a stretch of the file; an empty stretch inserts."""

    place: Place
    text: str


class Fix(Struct, frozen=True):
    """Edits that belong together."""

    summary: Message
    edits: tuple[Edit, ...]
    safe: bool = False
    """True if what the file does can only change in the way that its author wrote down."""


class Problem(Struct, frozen=True, kw_only=True):
    """What a rule found. The runner makes a finding of it."""

    place: Place
    message: Message
    certainty: Certainty = Certainty.CERTAIN
    kind: Kind | None = None
    """Overrides the fault's kind for this problem."""
    severity: Severity | None = None
    variant: str | None = None
    fix: Fix | None = None
    hides: bool = False
    """True if what stands at the place is a secret that no report may show."""


ALONE = "not given"
"""How the reason ends for rules that need a machine, or the site's file, where the user named none."""
Check = Callable[..., Iterator[Problem]]


class Rule(NamedTuple):
    """One check of one kind of part; a fault may have rules for several kinds."""

    fault: str
    check: Check
    part: type
    """What it looks at: the type of its first parameter."""
    needs: tuple[Any, ...]
    """Facts of a machine, or the site's own words, that it asks for besides."""
    pedantic: bool = False
    """Shown only on request: right, but known and accepted by many who run such files."""


class Finding(Struct, frozen=True, kw_only=True):
    """A fault at a place of a file."""

    fault: str
    variant: str | None
    title: Text
    layer: Layer | None
    kind: Kind
    severity: Severity
    certainty: Certainty
    path: str
    place: Place
    message: Message
    line: str
    """The text of the line, for people and for telling the same finding in a changed file."""
    fix: Fix | None = None
    pedantic: bool = False

    @property
    def order(self) -> tuple[str, Place, str]:
        """What findings are sorted by."""
        return self.path, self.place, self.fault


class Suppressed(Struct, frozen=True):
    """A finding that a comment, the site's file or a baseline accepts."""

    finding: Finding
    by: str
    """``comment``, ``site`` or ``baseline``."""
    reason: str


class Left(Struct, frozen=True):
    """A file, or a part of one, that was not judged, and why."""

    path: str
    why: Message
    unusable: bool = False
    """True if the user asked for it and it could not be read at all."""


class Linted(Struct, frozen=True, kw_only=True):
    """The whole result."""

    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    hidden: int = 0
    """Findings that only pedants want."""
    files: dict[str, str] = {}
    """The files that were judged, and their kind."""
    left: tuple[Left, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    """Rules that lacked facts of the machine: fault and reason."""
    broken: tuple[tuple[str, str], ...] = ()
    """Rules and readers that failed, and how: bugs of codeblue."""
