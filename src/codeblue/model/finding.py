"""Findings and what came of each rule."""

from enum import Enum
from typing import Any

from msgspec import Struct

from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.layers import Layer
from codeblue.model.remedy import Remedy
from codeblue.model.text import Message


class Outcome(str, Enum):
    """What came of one rule."""

    FIRED = "fired"
    CLEAR = "clear"
    SKIPPED = "skipped"
    BROKEN = "broken"


class Evidence(Struct, frozen=True):
    """One fact behind a finding."""

    path: str
    value: Any
    source: str


class Finding(Struct, frozen=True, kw_only=True):
    """A fault on a subject, with its evidence (never empty)."""

    fault: str
    variant: str | None
    layer: Layer | None
    kind: Kind
    subject: str
    severity: Severity
    certainty: Certainty
    summary: Message
    explains: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    remedy: Remedy | None
    host: str | None = None
    """Pseudonym of the host it belongs to; None if its source does not say."""
    side: str | None = None
    """``container`` or ``host`` where both were looked at."""
    rank: int | None = None
    time: str | None = None
    next_command: str | None = None


class Verdict(Struct, frozen=True):
    """Outcome of one rule."""

    fault: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    reason: str = ""
