"""Before-images are kept as long as a change may be taken back, and no longer."""

import re
from datetime import datetime, timedelta, timezone

from codeblue.remedy.journal import Journal
from codeblue.remedy.store import Kept

DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
"""A SHA-256, also inside of what a verb keeps as JSON."""


def tidy(journal: Journal, kept: Kept, days: int | None = None) -> int:
    """Remove before-images of changes that are taken back, or older than so many days; return how many."""
    since = ""
    if days is not None:
        since = (datetime.now(timezone.utc) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    wanted = {
        digest
        for run in journal.runs()
        if run.begin.time >= since or not run.ended
        for record in run.standing()
        for value in record.before.values()
        for digest in DIGEST.findall(value)
    }
    return kept.drop(wanted)
