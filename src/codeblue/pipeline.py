"""The tool on one page: read, judge, hand over to a report."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from functools import cache

from msgspec import UNSET, structs

from codeblue import knowledge
from codeblue.diagnose.diagnosis import diagnose
from codeblue.diagnose.expectations import expectations
from codeblue.faults import index
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Fault
from codeblue.model.site import Waiver
from codeblue.model.snapshot import Snapshot, View
from codeblue.sources import live, recording, texts
from codeblue.sources.launch import Launched
from codeblue.sources.logs import Signatures
from codeblue.sources.site import Loaded
from codeblue.sources.target import Target
from codeblue.state import Pseudonyms, shown
from codeblue.transport import local


def read(
    target: Target, launched: Launched | None, logs: Sequence[str], salt: str, config: Loaded
) -> Iterator[Snapshot]:
    """Yield what is known of the target, the last snapshot being the whole.

    ``launched`` is the probe at work on a live target, ``salt`` the key of the pseudonyms,
    ``config`` what the site expects.
    Raises Unusable if the target or a log cannot be used.
    """
    entries = index.entries().values()
    kernel_checks = (entry.id for entry in entries if "kernel_log" in entry.needs)
    signatures = Signatures(((entry.id, entry.signatures) for entry in entries), kernel_checks)
    try:
        views = [texts.read(path, signatures, Pseudonyms(salt)) for path in logs]
        looks = live.snapshots(launched, signatures) if launched else _recorded(target, signatures)
        for snapshot in looks:
            own = [_expecting(view, config, Pseudonyms(salt)) for view in snapshot.views]
            yield structs.replace(snapshot, views=[*own, *views])
    finally:
        if launched:
            local.end(launched.child)


def _recorded(target: Target, signatures: Signatures) -> Iterator[Snapshot]:
    yield recording.read(target.value, signatures)


def _expecting(view: View, config: Loaded, names: Pseudonyms) -> View:
    """Return the machine's view with what the site expects; a recording keeps what it was recorded with,
    unless the user names a file."""
    recorded: object = view.expectations
    if view.kind != "probe" or (recorded is not UNSET and not config.asked):
        return view
    host = view.host_name and names.name(view.host_name)
    expected = expectations(config.site, host, shown(config.path))
    return structs.replace(view, expectations=expected) if expected else view


def judge(snapshot: Snapshot, waivers: Sequence[Waiver] = ()) -> Diagnosis:
    """Return the diagnosis of a snapshot, by the whole catalogue and what the site accepts."""
    needs = {entry.id: entry.needs for entry in index.entries().values()}
    today = datetime.now(timezone.utc).date()
    return diagnose(snapshot, catalogue(), needs, index.explains(), knowledge.DATE, waivers, today)


@cache
def catalogue() -> tuple[Fault, ...]:
    """Return every fault; the first call imports them."""
    return tuple(index.load(entry) for entry in index.entries().values())
