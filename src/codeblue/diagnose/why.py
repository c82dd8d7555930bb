"""Why one fault fired on a snapshot, why it did not, or what could not be read."""

from collections.abc import Sequence

from msgspec import structs

from codeblue.diagnose.engine import assemble, evaluate
from codeblue.diagnose.evidence import quote, readable
from codeblue.diagnose.sides import host_faults
from codeblue.diagnose.watch import watched
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.facts import Sighting, Sightings
from codeblue.model.fault import Fault
from codeblue.model.finding import Evidence, Outcome
from codeblue.model.section import NotRead, Section, State
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.why import Looked, Why


def why(fault: Fault, needs: Sequence[str], snapshot: Snapshot, diagnosis: Diagnosis) -> Why:
    """Return what the fault's rule made of the snapshot.

    ``needs`` names the sections of its check, ``diagnosis`` is that of the whole catalogue.
    """
    view = _where(fault, snapshot)
    [verdict] = evaluate([fault], view)
    effects = {effect.finding.fault: effect.others for effect in diagnosis.consequences}
    return Why(
        fault=fault.id,
        target=snapshot.target,
        side=view.side,
        time=view.time,
        outcome=verdict.outcome,
        reason=verdict.reason,
        findings=verdict.findings,
        explained_by=effects.get(fault.id, ()),
        sections=tuple(_looked(view, name) for name in needs if name != Sightings.NAME),
        facts=_facts(fault, view) if fault.check else (),
        has_signatures=bool(fault.signatures or fault.clues),
        lines=_lines(fault, view),
        texts=_texts(snapshot),
    )


def _where(fault: Fault, snapshot: Snapshot) -> View:
    """Return the machine; of a container, the host around it if the fault is there."""
    view, host = assemble(snapshot), snapshot.host
    if host and host is not snapshot.machine and host_faults([fault]):
        [outside] = evaluate([fault], host)
        if outside.outcome is Outcome.FIRED:
            return host
    return view


def _looked(view: View, name: str) -> Looked:
    section = getattr(view, name)
    if not isinstance(section, Section):
        return Looked(section=name, state=State.NOT_ATTEMPTED)
    return Looked(
        section=name,
        state=section.state,
        reason=section.reason,
        source=section.source.replace("{key}", "…"),
        unread=section.unread,
    )


def _facts(fault: Fault, view: View) -> tuple[Evidence, ...]:
    """Return the facts that the check read, without the tables that it only went through."""
    read: dict[str, None] = {}
    evaluate([structs.replace(fault, signatures=(), clues=())], watched(view, read))
    facts = [quote(view, path) for path in read if readable(view, path)]
    return tuple(fact for fact in facts if not fact.value or not isinstance(fact.value, dict | list))


def _lines(fault: Fault, view: View) -> tuple[Sighting, ...]:
    try:
        sightings = view.section(Sightings)
    except NotRead:
        return ()
    return tuple(sightings.seen[position] for position in sightings.of(fault.id))


def _texts(snapshot: Snapshot) -> tuple[str, ...]:
    """Return what was searched for lines: given texts, and what the machine's programs said."""
    names = []
    for view in snapshot.views:
        try:
            section = view.section(Sightings)
        except NotRead:
            continue
        names.append(view.name if view.kind == "text" else section.source or view.name)
    return tuple(names)
