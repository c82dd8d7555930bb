"""Run the catalogue over a snapshot. A rule that fails is a result, never a crash."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from typing import TypeVar, get_args, get_type_hints

from msgspec import UNSET, structs

from codeblue.diagnose.evidence import quote, readable
from codeblue.model.facts import Sighting, Sightings, Stream, Told
from codeblue.model.fault import Certainty, Check, Fault, Hit, Kind, Severity
from codeblue.model.finding import Finding, Outcome, Verdict
from codeblue.model.section import NotRead, Section, State, united
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import Message


def assemble(snapshot: Snapshot) -> View:
    """Join the views for judging: the machine's facts and the sightings of every text."""
    machine = snapshot.machine or _told(snapshot)
    seen: list[Sighting] = []
    unrecognised: list[str] = []
    unusual: list[Told] = []
    streams: list[Stream] = []
    read = False
    for view in snapshot.views:
        try:
            section = view.section(Sightings)
            unrecognised += section.unrecognised_errors
            unusual += section.unusual
        except NotRead:
            continue
        read = True
        streams += section.streams if readable(view, "sightings.streams") else []
        for sighting in section.seen:
            seen.append(structs.replace(sighting, host=sighting.host or view.host_name))
    if not read:
        return machine
    merged = Sightings(seen=seen, unrecognised_errors=unrecognised, unusual=unusual, streams=streams)
    return structs.replace(machine, sightings=merged)


def _told(snapshot: Snapshot) -> View:
    """Return the facts of the texts as one view; where two texts tell the same fact, the first is kept.

    Texts that name another host than the first to name one are left out: they tell of another machine.
    """
    hosts = [view.host_name for view in snapshot.views if view.host_name]
    told = [
        value
        for view in snapshot.views
        if view.host_name in (None, *hosts[:1])
        for field in View.__struct_fields__
        if isinstance(value := getattr(view, field), Section) and not isinstance(value, Sightings)
    ]
    return structs.replace(View(kind="text", name=snapshot.target), **united(told))


def evaluate(faults: Iterable[Fault], view: View) -> list[Verdict]:
    """Return one verdict per fault, in the order given."""
    return [_evaluate(fault, view) for fault in faults]


def _evaluate(fault: Fault, view: View) -> Verdict:
    lines = list(_from_signatures(fault, view)) if fault.signatures or fault.clues else []
    if fault.check is None:
        return _signature_verdict(fault, lines, view)
    findings: list[Finding] = []
    unread: list[str] = []
    try:
        arguments = [_argument(hint, default, view, unread) for hint, default in _parameters(fault.check)]
        told = {
            name: _argument(hint, default, view, [])
            for name, (hint, default) in _told_besides(fault.check).items()
        }
    except _Absent as absent:
        return _joined(fault, lines, findings, Outcome.CLEAR, str(absent))
    except NotRead as reason:
        return _joined(fault, lines, findings, Outcome.SKIPPED, str(reason))
    try:
        for hit in fault.check(*arguments, **told):
            findings.append(_finding(fault, hit, view))
    except NotRead as reason:
        unread.append(str(reason))
    except Exception as error:  # noqa: BLE001 - a broken rule is reported, the others still run
        return Verdict(fault.id, Outcome.BROKEN, (*lines, *findings), repr(error))
    else:
        if not (findings or unread) and _looks_at_facts(fault.check):
            # The facts that were told say no: words that point at it count no more.
            lines = [line for line in lines if not _only_clues(line, view)]
    outcome = Outcome.SKIPPED if unread else Outcome.CLEAR
    return _joined(fault, lines, findings, outcome, "; ".join(unread))


@cache
def _looks_at_facts(check: Check) -> bool:
    """True if the check cannot judge without a section that is more than lines of a text."""
    return any(default is ... and hint is not Sightings for hint, default in _parameters(check))


def _only_clues(finding: Finding, view: View) -> bool:
    seen = view.section(Sightings).seen
    return all(seen[_position(evidence.path)].clue is not None for evidence in finding.evidence)


def _position(path: str) -> int:
    return int(path[len("sightings.seen[") : path.index("]")])


def _joined(
    fault: Fault, lines: list[Finding], checked: list[Finding], outcome: Outcome, reason: str
) -> Verdict:
    if lines or checked:
        return Verdict(fault.id, Outcome.FIRED, tuple(_merge(lines, checked)), reason)
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
    """Return the annotations of the check's parameters: the sections it looks at."""
    assert fault.check is not None
    return [hint for hint, _ in (*_parameters(fault.check), *_told_besides(fault.check).values())]


@cache
def _parameters(check: Check) -> list[tuple[object, object]]:
    """Return annotation and default of each parameter; ``...`` where there is none.

    A parameter with a default is evidence of its own: the rule also judges without it,
    and gets the default where the section was not read.
    """
    hints = {name: hint for name, hint in _hints(check).items() if name not in (check.__kwdefaults__ or {})}
    defaults = check.__defaults__ or ()
    required = (...,) * (len(hints) - len(defaults))
    return list(zip(hints.values(), (*required, *defaults), strict=True))


@cache
def _told_besides(check: Check) -> dict[str, tuple[object, object]]:
    """Return annotation and default of the parameters that can only be given by name.

    They matter where a text tells little else. A machine is judged without them:
    that they were not read holds nothing back.
    """
    hints = _hints(check)
    return {name: (hints[name], default) for name, default in (check.__kwdefaults__ or {}).items()}


def _hints(check: Check) -> dict[str, object]:
    hints = get_type_hints(check)
    hints.pop("return", None)
    return hints


def _argument(hint: object, default: object, view: View, unread: list[str]) -> object:
    kind, optional = _section(hint)
    if default is not ... and getattr(view, kind.NAME) is UNSET:
        unread.append(f"{kind.NAME}: {State.NOT_ATTEMPTED.value}")
        return default
    try:
        section = view.section(kind)
    except NotRead as reason:
        if default is ...:
            raise
        unread.append(str(reason))
        return default
    if section.state is not State.ABSENT:
        return section
    if optional:
        return None
    raise _Absent(f"{kind.NAME}: {State.ABSENT.value}")


@cache
def _section(hint: object) -> tuple[type[Section], bool]:
    """Return the section that an annotation names, and whether the check also hears that it is absent."""
    arguments = get_args(hint)
    kind = next((arg for arg in arguments if arg is not type(None)), hint)
    assert isinstance(kind, type), kind
    assert issubclass(kind, Section), kind
    return kind, type(None) in arguments


def _from_signatures(fault: Fault, view: View) -> Iterator[Finding]:
    try:
        sightings = view.section(Sightings)
        positions = sightings.of(fault.id)
    except NotRead:
        return
    seen = sightings.seen
    by_subject: dict[str, list[int]] = {}
    # A line that says it alone names the subject; words that say it together are more evidence for it.
    for position in sorted(positions, key=lambda n: seen[n].clue is not None):
        named = next(iter(by_subject), None) if seen[position].clue is not None else None
        by_subject.setdefault(named or _subject(fault, seen[position]), []).append(position)
    for subject, seen_at in by_subject.items():
        # A note counts as a part of a clue, or where no program says the same.
        printed = [n for n in seen_at if not seen[n].note or seen[n].clue is not None]
        yield _from_sighting(fault, subject, printed or seen_at, sightings, view)


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
    certainty = _strongest(Certainty, [_certainty(fault, sightings.seen[n]) for n in seen_at])
    return Finding(
        fault=fault.id,
        variant=None,
        layer=fault.layer,
        kind=_kind(fault, [sightings.seen[n] for n in seen_at]),
        subject=subject,
        severity=fault.severity,
        certainty=certainty,
        summary=Message(fault.title),
        explains=fault.explains,
        evidence=tuple(quote(view, f"sightings.seen[{n}].text") for n in _lines(seen_at, sightings)[:3]),
        remedy=fault.remedy,
        host=first.host,
        rank=first.rank,
        time=first.time,
        next_command=fault.next_command,
    )


def _lines(seen_at: list[int], sightings: Sightings) -> list[int]:
    """Return one sighting of each line: a signature and a clue may both have seen it."""
    seen = sightings.seen
    return list({(seen[n].file, seen[n].line): n for n in reversed(seen_at)}.values())[::-1]


def _kind(fault: Fault, seen: Iterable[Sighting]) -> Kind:
    clues = {s.clue for s in seen if s.clue is not None and s.clue < len(fault.clues)}
    return Kind.TROUBLE if any(fault.clues[clue].bites for clue in clues) else fault.kind


def _certainty(fault: Fault, sighting: Sighting) -> Certainty:
    if sighting.note:
        return Certainty.POSSIBLE
    if sighting.clue is not None:
        known = sighting.clue < len(fault.clues)
        return fault.clues[sighting.clue].certainty if known else Certainty.POSSIBLE
    near = [s for s in fault.signatures if s.anchor in sighting.text] or list(fault.signatures[:1])
    exact = [s for s in near if re.search(s.pattern, sighting.text)]
    return _strongest(Certainty, [s.certainty for s in exact or near[:1]])


def _finding(fault: Fault, hit: Hit, view: View) -> Finding:
    if not hit.because:
        raise ValueError(f"{fault.id}: a finding needs evidence")
    sighting = _sighting(hit.because[0].path, view)
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
        evidence=tuple(quote(view, cited.path) for cited in hit.because),
        remedy=hit.remedy or fault.remedy,
        host=sighting.host if sighting else view.host_name,
        rank=sighting.rank if sighting else None,
        time=sighting.time if sighting else None,
        next_command=fault.next_command,
    )


def _sighting(path: str, view: View) -> Sighting | None:
    if not path.startswith("sightings.seen["):
        return None
    return view.section(Sightings).seen[_position(path)]


def _merge(lines: list[Finding], checked: list[Finding]) -> list[Finding]:
    """Let a check's finding absorb the log lines that say the same thing; the stronger word counts."""
    same = [f for f in lines if checked and f.host in (None, checked[0].host)]
    if not same:
        return [*lines, *checked]
    known = {evidence.path for evidence in checked[0].evidence}
    first = structs.replace(
        checked[0],
        evidence=checked[0].evidence + tuple(e for f in same for e in f.evidence if e.path not in known),
        kind=_strongest(Kind, [f.kind for f in (checked[0], *same)]),
        severity=_strongest(Severity, [f.severity for f in (checked[0], *same)]),
        certainty=_strongest(Certainty, [f.certainty for f in (checked[0], *same)]),
    )
    return [first, *checked[1:], *(f for f in lines if f not in same)]


E = TypeVar("E", bound=Enum)


def _strongest(order: type[E], values: list[E]) -> E:
    """Return the value that its enumeration names first."""
    return min(values, key=list(order).index)
