"""Before-images are kept as long as a change may be taken back, and no longer."""

from datetime import datetime, timedelta, timezone

from codeblue.remedy.journal import Journal
from codeblue.remedy.store import Kept

DIGEST = 64
"""Characters of a SHA-256."""


def tidy(journal: Journal, kept: Kept, days: int) -> int:
    """Remove before-images of changes that are older than so many days or taken back; return how many."""
    since = (datetime.now(timezone.utc) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    wanted = {
        value
        for run in journal.runs()
        if run.begin.time >= since or not run.ended
        for record in run.standing()
        for value in record.before.values()
        if len(value) == DIGEST
    }
    return kept.drop(wanted)
