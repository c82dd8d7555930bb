"""An approval of a plan: a file that somebody signed off."""

from datetime import date

from msgspec import Struct


class Approval(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who approves which plan, and until when."""

    plan: str
    """Digest of the plan, as the preview prints it."""
    owner: str
    """Who approves it; has to be an approver of ``codeblue.toml`` where that names any."""
    until: date
    """Last day on which it counts."""
    risks: list[str] = []
    """What is approved; empty for everything in the plan."""
