"""Run the catalogue over a snapshot. A rule that fails is a result, never a crash."""

from collections.abc import Iterable, Iterator
from typing import get_args, get_type_hints

from msgspec import structs

from codeblue.diagnose.evidence import quote
from codeblue.model.facts import Sighting, Sightings
from codeblue.model.fault import Cite, Fault, Hit
from codeblue.model.finding import Evidence, Finding, Outcome, Verdict
from codeblue.model.section import NotRead, Section, State
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import Message


def assemble(snapshot: Snapshot) -> View:
    """Join the views for judging: the machine's facts and the sightings of every text."""
    machine = snapshot.machine or View(kind="text", name=snapshot.target)
    seen: list[Sighting] = []
    unrecognised: list[str] = []
    read = False
    for view in snapshot.views:
        try:
            section = view.section(Sightings)
            unrecognised += section.unrecognised_errors
        except NotRead:
            continue
        read = True
        for sighting in section.seen:
            seen.append(structs.replace(sighting, host=sighting.host or view.host_name))
    if not read:
        return machine
    merged = Sightings(seen=seen, unrecognised_errors=unrecognised)
    return structs.replace(machine, sightings=merged)


def evaluate(faults: Iterable[Fault], view: View) -> list[Verdict]:
    """Return one verdict per fault, in the order given."""
    return [_evaluate(fault, view) for fault in faults]


def _evaluate(fault: Fault, view: View) -> Verdict:
    findings: list[Finding] = list(_from_signatures(fault, view))
    if fault.check is None:
        return _signature_verdict(fault, findings, view)
    try:
        arguments = [_argument(hint, view) for hint in needs(fault)]
    except _Absent as absent:
        return _joined(fault, findings, Outcome.CLEAR, str(absent))
    except NotRead as reason:
        return _joined(fault, findings, Outcome.SKIPPED, str(reason))
    reason_skipped = ""
    try:
        for hit in fault.check(*arguments):
            findings.append(_finding(fault, hit, view))
    except NotRead as reason:
        reason_skipped = str(reason)
    except Exception as error:  # noqa: BLE001 - a broken rule is reported, the others still run
        return Verdict(fault.id, Outcome.BROKEN, tuple(findings), repr(error))
    outcome = Outcome.SKIPPED if reason_skipped else Outcome.CLEAR
    return _joined(fault, findings, outcome, reason_skipped)


def _joined(fault: Fault, findings: list[Finding], outcome: Outcome, reason: str) -> Verdict:
    if findings:
        return Verdict(fault.id, Outcome.FIRED, tuple(_merge(findings)), reason)
    return Verdict(fault.id, outcome, (), reason)


def _signature_verdict(fault: Fault, findings: list[Finding], view: View) -> Verdict:
    if findings:
        return Verdict(fault.id, Outcome.FIRED, tuple(findings))
    try:
        view.section(Sightings)
    except NotRead as reason:
        return Verdict(fault.id, Outcome.SKIPPED, (), str(reason))
    return Verdict(fault.id, Outcome.CLEAR, (), "no such line in the text")


class _Absent(Exception):
    """A section that a rule needs is absent: what the rule looks for cannot be there."""


def needs(fault: Fault) -> list[object]:
    """Return the annotations of the check's parameters: the sections it needs."""
    assert fault.check is not None
    hints = get_type_hints(fault.check)
    hints.pop("return", None)
    return list(hints.values())


def _argument(hint: object, view: View) -> Section | None:
    optional = type(None) in get_args(hint)
    kind = next((arg for arg in get_args(hint) if arg is not type(None)), hint)
    assert isinstance(kind, type) and issubclass(kind, Section), kind
    section = view.section(kind)
    if section.state is not State.ABSENT:
        return section
    if optional:
        return None
    raise _Absent(f"{kind.NAME}: {State.ABSENT.value}")


def _from_signatures(fault: Fault, view: View) -> Iterator[Finding]:
    if not fault.signatures:
        return
    try:
        sightings = view.section(Sightings)
        positions = sightings.of(fault.id)
    except NotRead:
        return
    by_subject: dict[str, list[int]] = {}
    for position in positions:
        by_subject.setdefault(_subject(fault, sightings.seen[position]), []).append(position)
    for subject, seen_at in by_subject.items():
        yield _from_sighting(fault, subject, seen_at, sightings, view)


def _subject(fault: Fault, sighting: Sighting) -> str:
    template = next((s.subject for s in fault.signatures if s.subject), "")
    if template and all(f"{{{name}}}" not in template or value for name, value in sighting.values.items()):
        filled = template
        for name, value in sighting.values.items():
            filled = filled.replace(f"{{{name}}}", value)
        if "{" not in filled:
            return filled
    return f"rank:{sighting.rank}" if sighting.rank is not None else "log"


def _from_sighting(
    fault: Fault, subject: str, seen_at: list[int], sightings: Sightings, view: View
) -> Finding:
    first = sightings.seen[seen_at[0]]
    certainty = next(
        (s.certainty for s in fault.signatures if s.anchor in first.text), fault.signatures[0].certainty
    )
    return Finding(
        fault=fault.id,
        variant=None,
        layer=fault.layer,
        kind=fault.kind,
        subject=subject,
        severity=fault.severity,
        certainty=certainty,
        summary=Message(fault.title),
        explains=fault.explains,
        evidence=tuple(quote(view, f"sightings.seen[{n}].text") for n in seen_at[:3]),
        remedy=fault.remedy,
        host=first.host,
        rank=first.rank,
        time=first.time,
        next_command=fault.next_command,
    )


def _finding(fault: Fault, hit: Hit, view: View) -> Finding:
    if not hit.because:
        raise ValueError(f"{fault.id}: a finding needs evidence")
    return Finding(
        fault=fault.id,
        variant=hit.variant,
        layer=fault.layer,
        kind=hit.kind or fault.kind,
        subject=hit.subject,
        severity=hit.severity or fault.severity,
        certainty=hit.certainty,
        summary=hit.summary,
        explains=fault.explains,
        evidence=tuple(_quoted(view, cited) for cited in hit.because),
        remedy=hit.remedy or fault.remedy,
        host=view.host_name,
        next_command=fault.next_command,
    )


def _quoted(view: View, cited: Cite) -> Evidence:
    return quote(view, cited.path)


def _merge(findings: list[Finding]) -> list[Finding]:
    """Let a check's finding absorb the log lines that say the same thing."""
    checked = [f for f in findings if not f.evidence[0].path.startswith("sightings.")]
    from_text = [f for f in findings if f.evidence[0].path.startswith("sightings.")]
    same_host = [f for f in from_text if not checked or f.host in (None, checked[0].host)]
    if not checked or not same_host:
        return findings
    lines = tuple(evidence for f in same_host for evidence in f.evidence)
    first = structs.replace(checked[0], evidence=checked[0].evidence + lines)
    return [first, *checked[1:], *(f for f in from_text if f not in same_host)]
