"""Facts that trials measured: what a machine really delivers."""

from codeblue.model.section import UNREAD, Fact, Row, Section


class Tried(Section, frozen=True, kw_only=True):
    """What one trial found."""

    passed_over: Fact[dict[str, str]] = UNREAD
    """Devices that were left alone, and why."""


class Measured(Row, frozen=True, kw_only=True):
    """What one device, or the machine, did in a trial."""

    error: Fact[str | None] = None
    """What kept the trial from its end; what was measured before is kept."""
    seconds: Fact[float] = UNREAD
