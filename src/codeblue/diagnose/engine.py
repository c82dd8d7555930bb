"""Run the catalogue over a snapshot. A rule that fails is a result, never a crash."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache, cached_property
from typing import NamedTuple, TypeVar, get_args, get_type_hints

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
    given = _Given(view)
    return [_evaluate(fault, given) for fault in faults]


class _Given:
    """What the checks are handed, looked up once for all of them."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.read: dict[str, Section] = {}
        """Sections that some check was handed already, by name."""

    @cached_property
    def spoken_of(self) -> set[str]:
        """Faults of which a line of a text speaks."""
        try:
            return {sighting.fault for sighting in self.view.section(Sightings).seen}
        except NotRead:
            return set()

    def argument(self, wanted: "_Parameter", unread: list[str]) -> object:
        """Return what one parameter gets; what could not be read for it is added to ``unread``."""
        name = wanted.name
        if wanted.default is not ... and getattr(self.view, name) is UNSET:
            unread.append(f"{name}: {State.NOT_ATTEMPTED.value}")
            return wanted.default
        try:
            section = self.view.section(wanted.kind)
        except NotRead as reason:
            if wanted.default is ...:
                raise
            unread.append(str(reason))
            return wanted.default
        if section.state is not State.ABSENT:
            self.read[name] = section
            return section
        if wanted.optional:
            return None
        raise _Absent(f"{name}: {State.ABSENT.value}")


def _evaluate(fault: Fault, given: _Given) -> Verdict:
    view, read = given.view, given.read
    speaks = (fault.signatures or fault.clues) and fault.id in given.spoken_of
    lines = list(_from_signatures(fault, view)) if speaks else []
    if fault.check is None:
        return _signature_verdict(fault, lines, view)
    findings: list[Finding] = []
    unread: list[str] = []
    try:
        # Most sections were handed to another check before: no call for these, there are hundreds of checks.
        arguments = [read.get(one.name) or given.argument(one, unread) for one in _parameters(fault.check)]
        besides = _told_besides(fault.check)
        told = {name: given.argument(one, []) for name, one in besides.items()} if besides else {}
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
        if lines and not (findings or unread) and _looks_at_facts(fault.check):
            # The facts that were told say no: words that point at it count no more.
            lines = [line for line in lines if not _only_clues(line, view)]
    outcome = Outcome.SKIPPED if unread else Outcome.CLEAR
    return _joined(fault, lines, findings, outcome, "; ".join(unread))


@cache
def _looks_at_facts(check: Check) -> bool:
    """True if the check cannot judge without a section that is more than lines of a text."""
    return any(one.default is ... and one.hint is not Sightings for one in _parameters(check))


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


class _Parameter(NamedTuple):
    """One parameter of a check."""

    hint: object
    name: str
    """Of the section."""
    kind: type[Section]
    optional: bool
    """The check also hears that the section is absent."""
    default: object
    """``...`` where there is none."""


def needs(fault: Fault) -> list[object]:
    """Return the annotations of the check's parameters: the sections it looks at."""
    assert fault.check is not None
    return [one.hint for one in (*_parameters(fault.check), *_told_besides(fault.check).values())]


@cache
def _parameters(check: Check) -> list[_Parameter]:
    """Return the parameters that can be given by place.

    A parameter with a default is evidence of its own: the rule also judges without it,
    and gets the default where the section was not read.
    """
    hints = [hint for name, hint in _hints(check).items() if name not in (check.__kwdefaults__ or {})]
    defaults = check.__defaults__ or ()
    required = (...,) * (len(hints) - len(defaults))
    return [_parameter(*one) for one in zip(hints, (*required, *defaults), strict=True)]


@cache
def _told_besides(check: Check) -> dict[str, _Parameter]:
    """Return the parameters that can only be given by name.

    They matter where a text tells little else. A machine is judged without them:
    that they were not read holds nothing back.
    """
    hints = _hints(check)
    return {name: _parameter(hints[name], value) for name, value in (check.__kwdefaults__ or {}).items()}


def _parameter(hint: object, default: object) -> _Parameter:
    arguments = get_args(hint)
    kind = next((arg for arg in arguments if arg is not type(None)), hint)
    assert isinstance(kind, type), kind
    assert issubclass(kind, Section), kind
    return _Parameter(hint, kind.NAME, kind, type(None) in arguments, default)


def _hints(check: Check) -> dict[str, object]:
    hints = get_type_hints(check)
    hints.pop("return", None)
    return hints


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
