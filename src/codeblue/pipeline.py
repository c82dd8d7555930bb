"""The tool on one page: read, judge, hand over to a report."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import structs

from codeblue import knowledge
from codeblue.diagnose.diagnosis import diagnose
from codeblue.faults import index
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Fault
from codeblue.model.snapshot import Snapshot
from codeblue.sources import live, recording, texts
from codeblue.sources.live import Options
from codeblue.sources.logs import Signatures
from codeblue.sources.target import Target
from codeblue.state import Pseudonyms


def read(
    target: Target, options: Options, logs: Sequence[str], meanwhile: Callable[[], object] = bool
) -> Iterator[Snapshot]:
    """Yield what is known of the target, the last snapshot being the whole.

    ``meanwhile`` is called once while a live target is being looked at.
    Raises Unusable if the target or a log cannot be used.
    """
    signatures = Signatures((entry.id, entry.signatures) for entry in index.entries().values())
    pseudonyms = Pseudonyms(options.salt)
    views = [texts.read(path, signatures, pseudonyms) for path in logs]
    if target.kind == "file":
        looks: Iterator[Snapshot] = iter((recording.read(target.value, signatures),))
    else:
        looks = live.snapshots(target, options, signatures, meanwhile)
    for snapshot in looks:
        yield structs.replace(snapshot, views=[*snapshot.views, *views])


def judge(snapshot: Snapshot) -> Diagnosis:
    """Return the diagnosis of a snapshot, by the whole catalogue."""
    needs = {entry.id: entry.needs for entry in index.entries().values()}
    return diagnose(snapshot, catalogue(), needs, index.explains(), knowledge.DATE)


@cache
def catalogue() -> tuple[Fault, ...]:
    """Return every fault; the first call imports them."""
    return tuple(index.load(entry) for entry in index.entries().values())
