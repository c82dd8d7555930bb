"""Judge many nodes: what depends on equal facts is worked out once.

A rule sees only the sections that it declares, so rules with the same needs have the same verdicts on all
nodes whose sections have the same content; and nodes with the same findings and barriers have the same
causes. Rules are first asked about sections without what is a node's own (``fleet.own``): a verdict for which
nothing of that was asked holds for all nodes that share the rest, the others are asked again node by node.
What is remembered is bounded: a fleet in which no two nodes are alike costs time, not memory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any

from msgspec import Struct, json, structs

from codeblue import knowledge
from codeblue.diagnose import diagnosis
from codeblue.diagnose.barriers import barriers
from codeblue.diagnose.engine import assemble, evaluate
from codeblue.diagnose.expectations import expectations
from codeblue.faults import index
from codeblue.fleet.facts import Facts, Pool
from codeblue.fleet.known import Known
from codeblue.fleet.marks import marks
from codeblue.fleet.own import NAMES
from codeblue.fleet.rows import Node, document
from codeblue.fleet.store import Store
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.facts import Expectations, NextBoot, Sightings
from codeblue.model.fault import Fault
from codeblue.model.finding import Finding, Outcome, Verdict
from codeblue.model.fleet import Judged, NodeFinding, NodeState, Role, Run
from codeblue.model.section import missed
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.sources.live import seen_in, view_of, words_of
from codeblue.sources.logs import Signatures
from codeblue.sources.site import Loaded
from codeblue.state import shown

SPOKEN = ("torch_trial", "kernel_log", "container_run", "nccl_trial")
"""Sections whose words the signatures are tried on."""
BARRIERS = (
    *("container", "cuda", "driver", "host", "nodes", "nvml", "pci", "python", "torch", "torch_trial"),
    *("user", "cgroup"),
)
"""Sections that the barriers of a machine are read from."""
EVERY = tuple(name for name in SECTIONS if name not in (Sightings.NAME, NextBoot.NAME))
"""Sections that may be judged."""


class Told(Struct, frozen=True):
    """What rules say of what nodes share."""

    fired: tuple[Verdict, ...] = ()
    late: tuple[Fault, ...] = ()
    """Those that asked for what is a node's own: each node wants an answer of its own."""
    looks: tuple[str, ...] = ()
    """Sections that these look at."""


class Rules:
    """Rules that look at the same sections."""

    def __init__(self, sections: tuple[str, ...], hears: bool) -> None:
        self.sections = sections
        self.hears = hears
        """They also look at what the signatures see."""
        self.faults: list[Fault] = []
        self.known: Known[Told] = Known()


class Heard(Struct, frozen=True):
    """What the signatures see in some words, and a number that stands for the words."""

    number: int
    sightings: Sightings


class Judge:
    """Judges nodes one after the other, remembering what equal facts gave."""

    def __init__(self, faults: Sequence[Fault], signatures: Signatures, site: Loaded | None = None) -> None:
        self._signatures = signatures
        self._site = site or Loaded()
        self._needs = {entry.id: entry.needs for entry in index.entries().values()}
        self._graph = index.explains()
        self._faults = faults
        self._place = {fault.id: place for place, fault in enumerate(faults)}
        self._rules = _grouped(faults, self._needs)
        self._told: Known[Told] = Known()
        self._numbers = count()
        self._words: Known[Heard] = Known()
        self._spoken: Known[Heard] = Known()
        self._barriers: Known[tuple[str, ...]] = Known()
        self._ends: Known[tuple[str, tuple[NodeFinding, ...]]] = Known()
        self._expected: dict[str, Expectations | None] = {}

    def run(self, store: Store, run: Run, files: Sequence[str] | None = None) -> Iterator[Judged]:
        """Yield the verdict on every node of a run, or of some of its files, file by file."""
        last = store.latest(run)
        pool = Pool()
        for name in store.batches(run) if files is None else files:
            nodes = [node for node in store.batch(name) if last.get(node.name) == name]
            wanted = {digest for node in nodes for digest in node.sections.values()}
            pool.hold(store.contents(pool.missing(wanted), name), wanted)
            for node in nodes:
                yield self.judged(node, pool)

    def judged(self, node: Node, pool: Pool) -> Judged:
        """Return the verdict on one node."""
        plain = Judged(
            node=node.name,
            group=node.group,
            state=node.state,
            why=node.why,
            verdict="",
            seconds=node.seconds,
            without_gpu=bool(node.header.get("without_gpu")),
        )
        if node.state is not NodeState.ANSWERED:
            return plain
        facts = Facts(node, pool, self._expectations(node.name))
        verdict, findings = self._end(facts, list(self._fired(facts)))
        return structs.replace(
            plain,
            verdict=verdict,
            host=node.host,
            boot=node.boot,
            skew=node.skew,
            findings=findings,
            marks=marks(facts),
        )

    def _fired(self, facts: Facts) -> Iterator[Verdict]:
        told = self._told.get(key := facts.key(EVERY))
        alone: list[Fault] = []
        if told is None:
            told = _together(list(self._shared(facts, alone)))
            if not alone:
                self._told.put(key, told)
        yield from told.fired
        if late := (*told.late, *alone):
            looks = EVERY if alone else told.looks
            yield from _that_fired(evaluate(late, self._view(facts, looks)))

    def _shared(self, facts: Facts, alone: list[Fault]) -> Iterator[Told]:
        """Yield what groups of rules say; to ``alone`` those are added that say it of one node only."""
        heard = self._heard(facts).number
        for rules in self._rules:
            key = (facts.key(rules.sections), heard if rules.hears else -1)
            if (known := rules.known.get(key)) is not None:
                yield known
            elif rules.known.worth:
                yield rules.known.put(key, _asked(rules, self._view(facts)))
            else:
                alone += rules.faults

    def _view(self, facts: Facts, whole: tuple[str, ...] = ()) -> View:
        if (known := facts.joined.get(whole)) is not None:
            return known
        view = structs.replace(facts.view(whole), sightings=self._heard(facts).sightings)
        facts.joined[whole] = joined = assemble(Snapshot(views=[view]))
        return joined

    def _heard(self, facts: Facts) -> Heard:
        key = facts.key(SPOKEN)
        if (known := self._spoken.get(key)) is not None:
            return known
        words = words_of({name: raw for name in SPOKEN if (raw := facts.raw(name)) is not None})
        heard = self._words.get(words)
        if heard is None:
            sightings = seen_in(words, self._signatures)
            heard = self._words.put(words, Heard(next(self._numbers), sightings))
        return self._spoken.put(key, heard)

    def _end(self, facts: Facts, fired: list[Verdict]) -> tuple[str, tuple[NodeFinding, ...]]:
        """Return the verdict on a node and what was found there, causes first."""
        header = facts.node.header
        asked = (header.get("until"), header.get("part"), header.get("without_gpu"))
        states = self._barriers_of(facts, asked)
        day = str(header.get("time"))[:10] if self._site.site.waive else ""
        ended = (*map(_matters, (f for v in fired for f in v.findings)), states, asked, day)
        known = self._ends.get(ended)
        if known is None:
            fired.sort(key=lambda verdict: self._place[verdict.fault])
            whole = self._diagnosis(facts.name, self._view(facts, EVERY), fired)
            known = self._ends.put(ended, (whole.verdict.value, _findings(whole)))
        return known

    def _barriers_of(self, facts: Facts, asked: tuple[Any, ...]) -> tuple[str, ...]:
        key = facts.key(BARRIERS), asked
        if (known := self._barriers.get(key)) is not None:
            return known
        if self._barriers.worth:
            with missed() as names:
                states = _states(self._view(facts))
            if names.isdisjoint(NAMES):
                return self._barriers.put(key, states)
        return _states(self._view(facts, EVERY))

    def _expectations(self, name: str) -> Expectations | None:
        host = name.rpartition("@")[2]
        if host not in self._expected:
            site = self._site
            self._expected[host] = expectations(site.site, host, shown(site.path))
        return self._expected[host]

    def diagnosis(self, node: Node, contents: Mapping[str, Any]) -> Diagnosis:
        """Return the whole diagnosis of one node, nothing being remembered."""
        view = view_of(document(node, contents), node.name, self._signatures, node.seconds)
        if (expected := self._expectations(node.name)) is not None:
            view = structs.replace(view, expectations=expected)
        return self._diagnosis(node.name, view, None)

    def _diagnosis(self, name: str, view: View, fired: list[Verdict] | None) -> Diagnosis:
        return diagnosis.diagnose(
            Snapshot(target=name, views=[view]),
            self._faults,
            self._needs,
            self._graph,
            knowledge.DATE,
            self._site.site.waive,
            date.today(),
            verdicts_of=evaluate if fired is None else lambda faults, joined: fired,
        )


def snapshot_of(store: Store, node: Node, signatures: Signatures) -> Snapshot:
    """Return the snapshot of one node."""
    contents = {name: json.decode(body) for name, body in store.contents(node.sections.values()).items()}
    view = view_of(document(node, contents), node.name, signatures, node.seconds)
    return Snapshot(target=node.name, views=[view])


def _grouped(faults: Iterable[Fault], needs: Mapping[str, tuple[str, ...]]) -> list[Rules]:
    groups: dict[tuple[tuple[str, ...], bool], Rules] = {}
    for fault in faults:
        looks = needs[fault.id]
        names = [name for name in looks if name in SECTIONS and name not in (Sightings.NAME, NextBoot.NAME)]
        hears = Sightings.NAME in looks or bool(fault.signatures or fault.clues)
        key = tuple(sorted(set(names))), hears
        groups.setdefault(key, Rules(*key)).faults.append(fault)
    return list(groups.values())


def _asked(rules: Rules, view: View) -> Told:
    """Ask rules about what nodes share, and note which of them wanted more."""
    fired: list[Verdict] = []
    late: list[Fault] = []
    for fault in rules.faults:
        with missed() as names:
            verdicts = evaluate([fault], view)
        if names.isdisjoint(NAMES):
            fired += _that_fired(verdicts)
        else:
            late.append(fault)
    return Told(tuple(fired), tuple(late), rules.sections if late else ())


def _together(told: Sequence[Told]) -> Told:
    return Told(
        tuple(verdict for one in told for verdict in one.fired),
        tuple(fault for one in told for fault in one.late),
        tuple(sorted({name for one in told for name in one.looks})),
    )


def _states(view: View) -> tuple[str, ...]:
    return tuple(barrier.state.value for barrier in barriers(view))


def _that_fired(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    return tuple(verdict for verdict in verdicts if verdict.outcome is Outcome.FIRED)


def _matters(finding: Finding) -> tuple[Any, ...]:
    """Return all of a finding on which causes and reports depend."""
    summary = finding.summary
    told = (summary.text.en, tuple(sorted(summary.values.items())), len(finding.evidence))
    place = (finding.host, finding.side, finding.rank, finding.time)
    kind = (finding.kind, finding.certainty, finding.severity, finding.variant, finding.layer)
    return (finding.fault, finding.subject, *kind, *place, *told)


def _findings(found: Diagnosis) -> tuple[NodeFinding, ...]:
    causes = [_finding(cause.finding, Role.CAUSE) for cause in found.causes]
    effects = [_finding(effect.finding, Role.CONSEQUENCE) for effect in found.consequences]
    return (*causes, *effects, *(_finding(risk, Role.RISK) for risk in found.risks))


def _finding(finding: Finding, role: Role) -> NodeFinding:
    return NodeFinding(
        fault=finding.fault,
        subject=finding.subject,
        layer=finding.layer,
        kind=finding.kind,
        certainty=finding.certainty,
        role=role,
        summary=finding.summary,
    )
