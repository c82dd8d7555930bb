"""The answer: barriers, causes, and what was ruled out or could not be looked at."""

from enum import Enum

from msgspec import Struct

from codeblue.model.finding import Evidence, Finding
from codeblue.model.layers import Layer
from codeblue.model.text import Message


class BarrierState(str, Enum):
    """Observed state of one layer."""

    OPEN = "open"
    CLOSED = "closed"
    PARTIAL = "partial"
    NOT_APPLICABLE = "not-applicable"
    UNREAD = "unread"


class Barrier(Struct, frozen=True):
    """What was observed of one layer."""

    layer: Layer
    state: BarrierState
    summary: Message
    evidence: tuple[Evidence, ...] = ()


class Overall(str, Enum):
    """The verdict in one word."""

    HEALTHY = "healthy"
    RISK = "risk"
    TROUBLE = "trouble"
    UNKNOWN = "unknown"


class Explained(Struct, frozen=True):
    """A finding together with what it explains or what explains it."""

    finding: Finding
    others: tuple[str, ...] = ()


class RuledOut(Struct, frozen=True):
    """A fault that was looked for and is not there."""

    fault: str
    because: str


class Skipped(Struct, frozen=True):
    """A fault that could not be looked for."""

    fault: str
    reason: str


class Waived(Struct, frozen=True):
    """A finding that the site accepts, in the words of its waiver."""

    fault: str
    subject: str
    reason: str
    owner: str
    expires: str
    """Last day of the waiver, ISO 8601."""


class Next(Struct, frozen=True):
    """A command that decides what the evidence does not."""

    command: str
    decides_between: tuple[str, ...]


class Return(str, Enum):
    """Will it come back after a reboot?"""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class AfterBoot(Struct, frozen=True):
    """What the next boot will bring."""

    answer: Return
    summary: Message
    findings: tuple[Finding, ...]
    """What will keep it from coming back: risks of today."""
    skipped: tuple[Skipped, ...] = ()
    """What could not be looked for."""


class Diagnosis(Struct, frozen=True, kw_only=True):
    """Everything a report shows."""

    target: str
    host: str | None
    boot: str | None
    time: str | None
    data: str
    """Date of the knowledge tables."""
    seconds: float
    verdict: Overall
    layer: Layer | None
    barriers: tuple[Barrier, ...]
    host_barriers: tuple[Barrier, ...]
    """The host's, where a container was looked at from both sides; else empty."""
    causes: tuple[Explained, ...]
    consequences: tuple[Explained, ...]
    risks: tuple[Finding, ...]
    harmless: tuple[Finding, ...]
    ruled_out: tuple[RuledOut, ...]
    skipped: tuple[Skipped, ...]
    broken: tuple[Skipped, ...]
    next: tuple[Next, ...]
    notes: tuple[Message, ...]
    after_boot: AfterBoot | None = None
    """None unless it was asked for."""
    headline: tuple[Message, ...] = ()
    """What the reader of such a text wants to know before any cause."""
    waived: tuple[Waived, ...] = ()
    """Neither causes nor risks: accepted by the site."""
