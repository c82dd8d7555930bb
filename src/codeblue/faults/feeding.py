"""What rules about the input side of a job share: the one row of the trial ``loader``."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeblue.model.facts import LoaderTrial, LoaderTried, Processors
from codeblue.model.section import was_read


class Tried(NamedTuple):
    """The row, and its place for citations."""

    path: str
    row: LoaderTried


class Death(NamedTuple):
    """A DataLoader that failed: number of workers, its words, and their place for citations."""

    workers: int
    words: str
    path: str


def tried(trial: LoaderTrial | None) -> Tried | None:
    """Return what was measured; None if it was not. Raises NotRead if the trial has no answer."""
    if trial is None:
        return None
    return next((Tried(f"loader_trial[{index}]", row) for index, row in trial.devices.items()), None)


def deaths(trial: LoaderTrial | None, pattern: str = "") -> Iterator[Death]:
    """Yield the DataLoaders that failed with words in which ``pattern`` is found."""
    found = tried(trial)
    if found is None or not was_read(found.row, "feeds"):
        return
    for kind, rows in found.row.feeds.items():
        for workers, feed in rows.items():
            if feed.error is not None and re.search(pattern, feed.error):
                yield Death(int(workers), feed.error, f"{found.path}.feeds[{kind}][{workers}].error")


def usable(processors: Processors) -> float:
    """Return how many processors mask and quota leave to the job."""
    quota = processors.quota
    return float(processors.allowed) if quota is None else min(quota, processors.allowed)
