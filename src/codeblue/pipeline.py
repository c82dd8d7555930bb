"""The tool on one page: read, judge, hand over to a report."""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import structs

from codeblue import knowledge
from codeblue.diagnose.diagnosis import diagnose
from codeblue.faults import index
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Fault
from codeblue.model.snapshot import Snapshot
from codeblue.sources import live, recording, texts
from codeblue.sources.launch import Launched
from codeblue.sources.logs import Signatures
from codeblue.sources.target import Target
from codeblue.state import Pseudonyms
from codeblue.transport import local


def read(
    target: Target, launched: tuple[Launched, ...], logs: Sequence[str], salt: str
) -> Iterator[Snapshot]:
    """Yield what is known of the target, the last snapshot being the whole.

    ``launched`` are the probes at work on a live target, ``salt`` the key of the pseudonyms.
    Raises Unusable if the target or a log cannot be used.
    """
    entries = index.entries().values()
    kernel_checks = (entry.id for entry in entries if "kernel_log" in entry.needs)
    signatures = Signatures(((entry.id, entry.signatures) for entry in entries), kernel_checks)
    try:
        views = [texts.read(path, signatures, Pseudonyms(salt)) for path in logs]
        looks = live.snapshots(launched, signatures) if launched else _recorded(target, signatures)
        for snapshot in looks:
            yield structs.replace(snapshot, views=[*snapshot.views, *views])
    finally:
        for probe in launched:
            local.end(probe.running)


def _recorded(target: Target, signatures: Signatures) -> Iterator[Snapshot]:
    yield recording.read(target.value, signatures)


def judge(snapshot: Snapshot, next_boot: bool = False) -> Diagnosis:
    """Return the diagnosis of a snapshot, by the whole catalogue; of the next boot too if asked."""
    needs = {entry.id: entry.needs for entry in index.entries().values()}
    return diagnose(snapshot, catalogue(), needs, index.explains(), knowledge.DATE, next_boot)


@cache
def catalogue() -> tuple[Fault, ...]:
    """Return every fault; the first call imports them."""
    return tuple(index.load(entry) for entry in index.entries().values())
