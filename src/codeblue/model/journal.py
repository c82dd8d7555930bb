"""What the journal remembers: one event per line, in the order in which things happened."""

from enum import Enum

from msgspec import Struct

from codeblue.model.remedy import Undo, Verb
from codeblue.model.text import Message


class Event(str, Enum):
    """What happened."""

    BEGIN = "begin"
    """A run begins to change something."""
    INTENT = "intent"
    """A step is about to begin."""
    RUNNING = "running"
    """A program that changes the machine is about to begin; it belongs to the step before it."""
    DONE = "done"
    FAILED = "failed"
    """A step was refused or failed, and left nothing behind."""
    BACK_INTENT = "back-intent"
    BACK = "back"
    """A step was taken back."""
    BACK_FAILED = "back-failed"
    HALF_DONE = "half-done"
    """A step was interrupted, and codeblue cannot tell or mend how far it got."""
    FIXED = "fixed"
    """The check after the change no longer finds the fault."""
    NOT_FIXED = "not-fixed"
    """The fault is still there, or something new broke; the run was taken back."""
    AWAITING = "awaiting-reboot"
    END = "end"


class Record(Struct, frozen=True, kw_only=True):
    """One line of the journal."""

    time: str
    """UTC, ISO 8601."""
    run: str
    event: Event
    host: str = ""
    """Machine id, hashed."""
    boot: str = ""
    """Boot id, hashed."""
    user: str = ""
    """Who asked, also behind sudo."""
    plan: str = ""
    """Digest of the plan."""
    fault: str = ""
    subject: str = ""
    step: int = -1
    verb: Verb | None = None
    args: dict[str, str] = {}
    before: dict[str, str] = {}
    undo: Undo | None = None
    expires: str | None = None
    """Last day of a temporary change."""
    approved: str = ""
    """Who approved it."""
    note: Message | None = None
    program: str = ""
    """Name of a program that was started."""
    pid: int = 0
    """Its process, which is the leader of a session of its own."""
    started: int = 0
    """When it was started, in clock ticks after boot: process numbers are given anew."""
    after: str = ""
    """Beginning of the SHA-256 of the line before, so that a changed line is noticed."""
