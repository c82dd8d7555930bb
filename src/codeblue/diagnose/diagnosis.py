"""Put barriers, causes and the rest together into one answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import structs

from codeblue.diagnose.about_container import about_container
from codeblue.diagnose.after_boot import NOT_ASKED, about_next_boot, after_boot
from codeblue.diagnose.barriers import barriers
from codeblue.diagnose.engine import assemble, evaluate
from codeblue.diagnose.expectations import accepted
from codeblue.diagnose.rank import rank
from codeblue.diagnose.ranks import gathered
from codeblue.diagnose.sides import host_faults, host_verdicts, sided, united
from codeblue.diagnose.waiting_pods import waiting_pods
from codeblue.model.diagnosis import (
    Barrier,
    BarrierState,
    Diagnosis,
    Explained,
    Next,
    Overall,
    RuledOut,
    Skipped,
)
from codeblue.model.facts import Expectations, KubernetesNode, NumericsBase, Process, Sightings, TrialHistory
from codeblue.model.facts.trials.base import Tried
from codeblue.model.fault import Certainty, Fault, Kind
from codeblue.model.finding import Finding, Outcome, Verdict
from codeblue.model.section import UNREAD, NotRead, State
from codeblue.model.site import Waiver
from codeblue.model.skipped import REASONS
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.model.text import Message, Text, message

NAMED = 5
"""Files that were not searched and are named."""


NOT_ALWAYS = (
    *(Expectations.NAME, KubernetesNode.NAME),
    *(name for name, kind in SECTIONS.items() if issubclass(kind, Tried | TrialHistory | NumericsBase)),
)
"""Sections of what a site expects, what a cluster tells and what only a trial measures: nobody misses them in
a check."""


def diagnose(
    snapshot: Snapshot,
    faults: Sequence[Fault],
    needs: Mapping[str, tuple[str, ...]],
    graph: Mapping[str, tuple[str, ...]],
    data: str,
    waivers: Sequence[Waiver],
    today: date,
    *,
    next_boot: bool = False,
    verdicts_of: Callable[[Sequence[Fault], View], list[Verdict]] = evaluate,
) -> Diagnosis:
    """Judge the snapshot.

    ``needs`` names for every fault the sections its check reads, ``graph`` the faults
    that it explains, ``data`` is the date of the knowledge tables. Waivers count by the
    day on which the machine was read, by ``today`` where that is not known. What the
    next boot will bring is judged only if ``next_boot`` asks for it. ``verdicts_of`` runs
    the checks over the joined view.
    """
    snapshot = snapshot if next_boot else _without_next_boot(snapshot)
    view = assemble(snapshot)
    host = snapshot.host if snapshot.host is not snapshot.machine else None
    verdicts = sided(verdicts_of(host_faults(faults) if view.side == "host" else faults, view), view.side)
    outside = host_verdicts(faults, host) if host else []
    seen_all = _found(verdicts, outside)
    findings, waived = accepted(seen_all, waivers, day := _day(view.time) or today)
    causes, consequences = rank(findings, graph)
    causes, echoes = gathered(causes, _sightings(view), {fault.id for fault in faults if fault.collateral})
    consequences += echoes
    seen = barriers(view) if snapshot.machine else ()
    risks = _rest(findings, Kind.RISK, causes, consequences)
    # Where no GPU could be used, some rules have not looked: a closed layer is then no good news either.
    half = view.without_gpu and not _passes(seen)
    not_known = half or _not_understood(view, seen_all) or snapshot.unreadable
    overall = _overall((*causes, *consequences), risks, seen, bool(not_known))
    if overall is Overall.RISK:
        # Merely possible, and no layer stops a job: a warning, no cause.
        risks = [*(explained.finding for explained in (*causes, *consequences)), *risks]
        causes, consequences = [], []
    return Diagnosis(
        target=snapshot.target,
        host=view.host_name,
        boot=view.boot,
        time=view.time,
        data=data,
        seconds=view.seconds,
        verdict=overall,
        layer=causes[0].finding.layer if causes else None,
        barriers=seen,
        host_barriers=barriers(host) if host else (),
        causes=tuple(causes),
        consequences=tuple(consequences),
        risks=tuple(risk for risk in risks if not about_next_boot(risk)),
        harmless=tuple(f for f in findings if f.kind is Kind.HARMLESS),
        ruled_out=_ruled_out(verdicts, faults, needs),
        skipped=_skipped(verdicts, next_boot) if snapshot.machine else (),
        broken=tuple(Skipped(v.fault, v.reason) for v in verdicts if v.outcome is Outcome.BROKEN),
        next=next_steps(causes, overall),
        notes=(*_notes(snapshot, view, seen_all), *_site_notes(view, waivers, day)),
        after_boot=after_boot(host or view, outside if host else verdicts, needs) if next_boot else None,
        headline=waiting_pods(view),
        waived=waived,
    )


def _found(verdicts: Sequence[Verdict], outside: Sequence[Verdict]) -> list[Finding]:
    """Return all findings; those of a container's host come last, and once where both sides have them."""
    found, of_host = ([one for verdict in side for one in verdict.findings] for side in (verdicts, outside))
    return united(found, of_host) if outside else found


def _sightings(view: View) -> Sightings | None:
    try:
        return view.section(Sightings)
    except NotRead:
        return None


def _without_next_boot(snapshot: Snapshot) -> Snapshot:
    views = [structs.replace(view, next_boot=UNREAD) for view in snapshot.views]
    return structs.replace(snapshot, views=views)


def _day(time: str | None) -> date | None:
    try:
        return date.fromisoformat((time or "")[:10])
    except ValueError:  # a recording may hold anything
        return None


def _rest(
    findings: list[Finding], kind: Kind, causes: list[Explained], consequences: list[Explained]
) -> list[Finding]:
    used = {(e.finding.fault, e.finding.subject) for e in (*causes, *consequences)}
    return [f for f in findings if f.kind is kind and (f.fault, f.subject) not in used]


def _overall(
    troubles: Sequence[Explained], risks: list[Finding], seen: Sequence[Barrier], not_known: bool
) -> Overall:
    if any(trouble.finding.certainty is not Certainty.POSSIBLE for trouble in troubles):
        return Overall.TROUBLE
    unread = any(b.state is BarrierState.UNREAD for b in seen)
    if not_known or unread or (troubles and not _passes(seen)):
        return Overall.UNKNOWN
    if troubles:
        # Every layer lets a job pass: what is merely possible is no more than a warning.
        return Overall.RISK
    return Overall.RISK if risks else Overall.HEALTHY


def _passes(seen: Sequence[Barrier]) -> bool:
    """True if a machine was looked at and none of its layers stops a job."""
    stopping = (BarrierState.CLOSED, BarrierState.PARTIAL)
    return bool(seen) and not any(barrier.state in stopping for barrier in seen)


def _not_understood(view: View, findings: list[Finding]) -> list[str]:
    """Return final error lines of the texts, if nothing in any text was recognised as trouble."""
    try:
        errors = view.section(Sightings).unrecognised_errors
    except NotRead:
        return []
    return [] if any(f.kind is Kind.TROUBLE for f in findings) else errors


def _ruled_out(
    verdicts: list[Verdict], faults: Sequence[Fault], needs: Mapping[str, tuple[str, ...]]
) -> tuple[RuledOut, ...]:
    # A line that is missing from a text rules nothing out; only a check that looked does.
    troubles = {fault.id for fault in faults if fault.kind is Kind.TROUBLE and fault.check is not None}
    return tuple(
        RuledOut(v.fault, v.reason or "read: " + ", ".join(needs[v.fault]))
        for v in verdicts
        if v.outcome is Outcome.CLEAR and v.fault in troubles and set(needs[v.fault]) - {"sightings"}
    )


def _skipped(verdicts: list[Verdict], next_boot: bool) -> tuple[Skipped, ...]:
    """Return what could not be looked for; what nobody expects or asks about is no such case."""
    no_cases = {f"{name}: {State.NOT_ATTEMPTED.value}" for name in NOT_ALWAYS}
    no_cases |= set() if next_boot else {NOT_ASKED}
    skipped = (v for v in verdicts if v.outcome is Outcome.SKIPPED)
    return tuple(Skipped(v.fault, v.reason) for v in skipped if not no_cases.issuperset(v.reason.split("; ")))


def next_steps(causes: Sequence[Explained], overall: Overall) -> tuple[Next, ...]:
    """Return the commands that decide what the evidence leaves open."""
    if not causes:
        if overall is Overall.HEALTHY:
            return ()
        return (Next("codeblue check --log LOGFILE", ()),) if overall is Overall.UNKNOWN else ()
    first = causes[0].finding
    tied = [cause.finding for cause in causes if cause.finding.certainty is first.certainty]
    names = tuple(dict.fromkeys(finding.fault for finding in tied))
    # A certain cause that says what to do needs no further look; a bare symptom does.
    if len(names) == 1 and first.certainty is Certainty.CERTAIN and first.remedy is not None:
        return ()
    commands = dict.fromkeys(f.next_command for f in tied if f.next_command)
    return tuple(Next(command, names) for command in commands if command)


def _notes(snapshot: Snapshot, view: View, findings: list[Finding]) -> tuple[Message, ...]:
    notes = [
        message(
            "{name} comes from another host than the machine that was looked at; they are judged apart",
            "{name} 来自另一台主机，与所检查的机器分开判断",
            name=other.name,
        )
        for other in snapshot.views
        if other.kind == "text" and other.host_name and view.host_name and other.host_name != view.host_name
    ]
    notes += [
        message("not understood: {line}", "未能理解：{line}", line=line)
        for line in _not_understood(view, findings)
    ]
    notes += _apart(view)
    notes += about_container(snapshot.host or view, view)
    notes += _not_searched(snapshot)
    notes += snapshot.unreadable
    return tuple(notes)


def _not_searched(snapshot: Snapshot) -> list[Message]:
    """Name the files that were not searched, or not to their end; many are counted."""
    skipped = []
    for view in snapshot.views:
        try:
            skipped += view.section(Sightings).skipped
        except NotRead:
            continue
    named = [
        Message(
            Text("{file}: " + REASONS[one.why].en, "{file}：" + REASONS[one.why].zh),
            {"file": one.file, "detail": one.detail},
        )
        for one in skipped[:NAMED]
    ]
    if len(skipped) > NAMED:
        named.append(message("{n} more files", "另有 {n} 个文件", n=len(skipped) - NAMED))
    return named


def _site_notes(view: View, waivers: Sequence[Waiver], day: date) -> list[Message]:
    notes = [
        message(
            "the waiver of {fault} ({owner}) expired on {day}; renew or remove it",
            "{fault} 的豁免（{owner}）已于 {day} 到期；请续期或删除",
            fault=waiver.fault,
            owner=waiver.owner,
            day=waiver.expires,
        )
        for waiver in waivers
        if waiver.expires < day
    ]
    try:
        expected = view.section(Expectations)
        untried = expected.host_unknown
    except NotRead:
        return notes
    if untried:
        notes.append(
            message(
                "{file}: the [[host]] tables were not tried; the recording holds no real host name",
                "{file}：未能匹配 [[host]] 表，因为录制中没有真实主机名",
                file=expected.source,
            )
        )
    return notes


def _apart(view: View) -> Iterator[Message]:
    """Say why a process was judged from outside only."""
    try:
        process = view.section(Process)
        reason = process.apart if process.state is State.READ else None
    except NotRead:
        return
    if reason == "namespaces":
        yield message(
            "the process lives in other namespaces ({names}) and was judged from outside;"
            " run codeblue with sudo to look from inside",
            "该进程处在其他命名空间（{names}）中，只能从外部判断；用 sudo 运行 codeblue 可从内部查看",
            names=", ".join(process.namespaces),
        )
    elif reason == "no-program":
        yield message(
            "the process has ended or runs no program: what it would find cannot be tried",
            "该进程已结束或没有运行程序，无法试验它会看到的环境",
        )
    elif reason:
        yield message(
            "the process has other rights than this user; run codeblue with sudo to try what it may do",
            "该进程的权限与当前用户不同；用 sudo 运行 codeblue 才能试验它能做什么",
        )
