"""Why one fault fired on a snapshot, or why not."""

from msgspec import Struct

from codeblue.model.facts import Sighting
from codeblue.model.finding import Evidence, Finding, Outcome
from codeblue.model.section import State


class Looked(Struct, frozen=True, kw_only=True):
    """One section that the check needs, and how its reader fared."""

    section: str
    state: State
    reason: str = ""
    """The reader's own words."""
    source: str = ""
    unread: dict[str, State] = {}
    """Facts of the section that are missing, and why."""


class Why(Struct, frozen=True, kw_only=True):
    """What one rule made of one snapshot."""

    fault: str
    target: str
    side: str | None
    """``container`` or ``host`` where both were looked at."""
    time: str | None
    outcome: Outcome
    reason: str
    """The rule's verdict in ids, e.g. ``cuda: timeout``."""
    findings: tuple[Finding, ...]
    explained_by: tuple[str, ...]
    """Other faults on the snapshot of which this one is only a consequence."""
    sections: tuple[Looked, ...]
    facts: tuple[Evidence, ...]
    """Every fact that the check read."""
    has_signatures: bool
    lines: tuple[Sighting, ...]
    """The lines that matched."""
    texts: tuple[str, ...]
    """Where lines were looked for; empty if no text was read."""
