"""The tool on one page: read, judge, hand over to a report."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from functools import cache
from typing import TYPE_CHECKING

from msgspec import structs

from codeblue import __version__, knowledge
from codeblue.diagnose.diagnosis import diagnose
from codeblue.diagnose.engine import assemble
from codeblue.diagnose.expectations import expectations, placed
from codeblue.diagnose.undecided import undecided
from codeblue.faults import index
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.entry import Entry
from codeblue.model.facts import Stream
from codeblue.model.fault import Fault, Kind
from codeblue.model.section import UNREAD, NotRead
from codeblue.model.site import Waiver
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.model.why import Why
from codeblue.sources import given, texts
from codeblue.sources.logs import Signatures
from codeblue.state import Pseudonyms, shown

if TYPE_CHECKING:
    from codeblue.sources.launch import Launched
    from codeblue.sources.site import Loaded
    from codeblue.sources.target import Target

SEEN = "sightings"


def read(
    target: "Target",
    launched: "tuple[Launched, ...]",
    logs: Sequence[str],
    salt: str,
    config: "Loaded",
) -> Iterator[Snapshot]:
    """Yield what is known of the target, the last snapshot being the whole.

    ``launched`` are the probes at work on a live target, ``salt`` the key of the pseudonyms,
    ``config`` what the site expects.
    Raises Unusable if the target or a log cannot be used.
    """
    # A text alone needs neither.
    from codeblue.sources import live
    from codeblue.transport import local

    known = signatures()
    try:
        views = [texts.read(path, known, Pseudonyms(salt)) for path in logs]
        looks = live.snapshots(launched, known) if launched else _recorded(target, known)
        for snapshot in looks:
            expecting = _expecting(snapshot, config, Pseudonyms(salt))
            yield structs.replace(expecting, views=[*expecting.views, *views])
    finally:
        for probe in launched:
            local.end(probe.running)


def told(paths: Sequence[str], facts: str | None, salt: str) -> Snapshot:
    """Return what texts say, and what the user knows besides; ``-`` is standard input.

    Raises Unusable if a text or the facts cannot be read.
    """
    besides = given.read(facts) if facts else {}
    lines = given.lines(besides, facts or "")
    known, pseudonyms = signatures(), Pseudonyms(salt)
    views = [texts.read(path, known, pseudonyms, lines) for path in paths]
    if facts:
        views.append(texts.facts(facts, besides))
    return Snapshot(codeblue=__version__, target=" ".join(view.name for view in views), views=views)


def signatures() -> Signatures:
    """Return all signatures of the catalogue."""
    entries = index.entries().values()
    kernel_checks = (entry.id for entry in entries if "kernel_log" in entry.needs)
    clued = (entry for entry in entries if entry.clues)
    harmless = (entry.id for entry in entries if entry.kind is Kind.HARMLESS)
    return Signatures(((entry.id, entry.signatures) for entry in entries), kernel_checks, clued, harmless)


def _recorded(target: "Target", signatures: Signatures) -> Iterator[Snapshot]:
    from codeblue.sources import recording

    yield recording.read(target.value, signatures)


def _expecting(snapshot: Snapshot, config: "Loaded", names: Pseudonyms) -> Snapshot:
    """Return the snapshot with what the site expects; a recording keeps what it was recorded with,
    unless the user names a file."""
    machine = snapshot.machine
    recorded = any(view.expectations is not UNREAD for view in snapshot.views)
    if machine is None or (recorded and not config.asked):
        return snapshot
    named = (snapshot.host or machine).host_name
    expected = expectations(config.site, named and names.name(named), shown(config.path))
    return placed(expected, snapshot) if expected else snapshot


def judge(snapshot: Snapshot, waivers: Sequence[Waiver] = (), *, next_boot: bool = False) -> Diagnosis:
    """Return the diagnosis of a snapshot, by the whole catalogue and what the site accepts.

    What the next boot will bring is judged only if ``next_boot`` asks for it.
    """
    needs = {entry.id: entry.needs for entry in index.entries().values()}
    today = datetime.now(timezone.utc).date()
    graph = index.explains()
    faults = catalogue() if snapshot.machine else _concerned(snapshot)
    found = diagnose(snapshot, faults, needs, graph, knowledge.DATE, waivers, today, next_boot=next_boot)
    if snapshot.machine or not undecided(found, index.entries()):
        return found
    from codeblue.diagnose.similar import with_similar  # a text that is decided needs no guesses

    return with_similar(found, assemble(snapshot), index.entries(), index.documents())


def _concerned(snapshot: Snapshot) -> tuple[Fault, ...]:
    """Return the faults that the texts say anything about; importing the others would take longer."""
    views = snapshot.views
    seen = {s.fault for v in views if v.sightings is not UNREAD for s in v.sightings.seen}
    told = {name for name in SECTIONS for view in views if getattr(view, name) is not UNREAD}
    told.discard(SEEN)
    if any(stream.enqueued is not None for v in views if v.sightings is not UNREAD for stream in _streams(v)):
        told.add(SEEN)  # a flight recorder's dump has no lines
    return tuple(
        index.load(entry)
        for entry in index.entries().values()
        if entry.id in seen or _asks(entry, told, seen)
    )


def _streams(view: View) -> list[Stream]:
    """Return who wrote the text of the view; nobody, if that was not read."""
    try:
        return view.sightings.streams
    except NotRead:
        return []


def _asks(entry: Entry, told: set[str], seen: set[str]) -> bool:
    """True if the check reads something that was told, or looks for what it explains among the lines."""
    return bool(told.intersection(entry.needs)) or (
        SEEN in entry.needs and bool(seen.intersection(entry.explains))
    )


def why(fault: str, snapshot: Snapshot) -> Why:
    """Return why a fault of the catalogue fires on the snapshot, or why not."""
    from codeblue.diagnose.why import why as reasons

    entry = index.entries()[fault]
    return reasons(index.load(entry), entry.needs, snapshot, judge(snapshot))


@cache
def catalogue() -> tuple[Fault, ...]:
    """Return every fault; the first call imports them."""
    return tuple(index.load(entry) for entry in index.entries().values() if entry.judged)
