"""Numbers for people out of the facts of the trials, one module a trial."""

from collections.abc import Callable, Iterator
from contextlib import suppress

from codeblue.diagnose.measures import gpu, links, loader, memory, nccl, numerics
from codeblue.model.measure import Measure
from codeblue.model.section import UNREAD, NotRead
from codeblue.model.snapshot import View

READERS: dict[str, Callable[[View], Iterator[Measure]]] = {
    "gpu": gpu.measures,
    "memory": memory.measures,
    "links": links.measures,
    "nccl": nccl.measures,
    "numerics": numerics.measures,
    "loader": loader.measures,
}
"""In the order in which the trials run."""


def measures(view: View) -> tuple[Measure, ...]:
    """Return what the trials of this view measured; nothing of one that was not run."""
    found: list[Measure] = []
    for trial, read in READERS.items():
        if getattr(view, f"{trial}_trial") is not UNREAD:
            found += _read(read, view)
    return tuple(found)


def _read(read: Callable[[View], Iterator[Measure]], view: View) -> list[Measure]:
    found: list[Measure] = []
    with suppress(NotRead):  # what came before it stands
        found.extend(read(view))
    return found
