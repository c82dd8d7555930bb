"""Judge many nodes: what depends on equal facts is worked out once.

A rule sees only the sections that it declares, so rules with the same needs have the same verdicts on all
nodes whose sections have the same content; and nodes with the same findings and barriers have the same
causes. What is remembered is bounded: a fleet in which no two nodes are alike costs time, not memory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any, Generic, TypeVar

from msgspec import Struct, json, structs

from codeblue import knowledge
from codeblue.diagnose import diagnosis
from codeblue.diagnose.barriers import barriers
from codeblue.diagnose.engine import assemble, evaluate
from codeblue.diagnose.expectations import expectations
from codeblue.faults import index
from codeblue.fleet.facts import Facts, Pool
from codeblue.fleet.marks import marks
from codeblue.fleet.rows import Node, document
from codeblue.fleet.store import Store
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.facts import Expectations, NextBoot, Sightings
from codeblue.model.fault import Fault
from codeblue.model.finding import Finding, Outcome, Verdict
from codeblue.model.fleet import Judged, NodeFinding, NodeState, Role, Run
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.sources.live import seen_in, view_of, words_of
from codeblue.sources.logs import Signatures
from codeblue.sources.site import Loaded
from codeblue.state import shown

SPOKEN = ("torch_trial", "kernel_log", "container_run")
"""Sections whose words the signatures are tried on."""
BARRIERS = (
    *("container", "cuda", "driver", "host", "nodes", "nvml", "pci", "python", "torch", "torch_trial"),
    *("user", "cgroup"),
)
"""Sections that the barriers of a machine are read from."""
MOST = 2000
"""Results that are remembered of each kind."""

T = TypeVar("T")


class Known(Generic[T]):
    """Results by what they depend on; when there are too many, none."""

    def __init__(self) -> None:
        self._results: dict[Any, T] = {}

    def get(self, key: Any) -> T | None:
        """Return the result of this key, None if it is not known."""
        return self._results.get(key)

    def put(self, key: Any, result: T) -> T:
        """Remember a result and return it."""
        if len(self._results) >= MOST:
            self._results.clear()
        self._results[key] = result
        return result


TIMED = ("pcie-link-errors",)
"""Faults whose rules look at how long a node is up, which is another number on each."""


class Rules:
    """Rules that look at the same sections."""

    def __init__(self, sections: tuple[str, ...], hears: bool, timed: bool) -> None:
        self.sections = sections
        self.timed = timed
        self.hears = hears
        """They also look at what the signatures see."""
        self.faults: list[Fault] = []
        self.known: Known[tuple[Verdict, ...]] = Known()


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
        heard = self._heard(facts)
        for rules in self._rules:
            up = facts.node.uptime if rules.timed else None
            key = (facts.key(rules.sections), heard.number if rules.hears else -1, up)
            known = rules.known.get(key)
            if known is None:
                verdicts = evaluate(rules.faults, self._view(facts, heard))
                known = rules.known.put(key, tuple(v for v in verdicts if v.outcome is Outcome.FIRED))
            yield from known

    def _view(self, facts: Facts, heard: Heard) -> View:
        if facts.joined is None:
            view = structs.replace(facts.view(), sightings=heard.sightings)
            facts.joined = assemble(Snapshot(views=[view]))
        return facts.joined

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
        states = self._barriers.get(key := (facts.key(BARRIERS), asked))
        if states is None:
            view = self._view(facts, self._heard(facts))
            states = self._barriers.put(key, tuple(barrier.state.value for barrier in barriers(view)))
        day = str(header.get("time"))[:10] if self._site.site.waive else ""
        ended = (*map(_matters, (f for v in fired for f in v.findings)), states, asked, day)
        known = self._ends.get(ended)
        if known is None:
            fired.sort(key=lambda verdict: self._place[verdict.fault])
            found = self._diagnosis(facts.name, self._view(facts, self._heard(facts)), fired)
            known = self._ends.put(ended, (found.verdict.value, _findings(found)))
        return known

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
    groups: dict[tuple[tuple[str, ...], bool, bool], Rules] = {}
    for fault in faults:
        looks = needs[fault.id]
        names = [name for name in looks if name in SECTIONS and name not in (Sightings.NAME, NextBoot.NAME)]
        hears = Sightings.NAME in looks or bool(fault.signatures or fault.clues)
        key = tuple(sorted(set(names))), hears, fault.id in TIMED
        groups.setdefault(key, Rules(*key)).faults.append(fault)
    return list(groups.values())


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
