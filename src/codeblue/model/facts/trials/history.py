"""Earlier trials of the same machine."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Earlier(Row, frozen=True, kw_only=True):
    """One number now and in earlier runs on the same devices."""

    subject: Fact[str] = UNREAD
    now: Fact[float] = UNREAD
    median: Fact[float] = UNREAD
    lowest: Fact[float] = UNREAD
    runs: Fact[int] = UNREAD


class TrialHistory(Section, frozen=True, kw_only=True):
    """What earlier trials of this machine measured, beside what the last one did."""

    NAME: ClassVar[str] = "trial_history"
    TABLE: ClassVar[str] = "measures"

    since: Fact[str] = UNREAD
    """When the first of the runs was, ISO 8601."""
    measures: Fact[dict[str, Earlier]] = UNREAD
    """Speeds by trial, subject and key, joined with slashes."""
