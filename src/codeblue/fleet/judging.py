"""Judge many nodes: what depends on equal facts is worked out once.

A rule sees only the sections that it declares, so its verdict is the same for all nodes whose sections have
the same content. What is kept is small: most rules find nothing, whatever a node is like.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import json, structs

from codeblue import knowledge
from codeblue.diagnose import diagnosis
from codeblue.diagnose.engine import evaluate
from codeblue.faults import index
from codeblue.fleet.store import Node, Store
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Fault
from codeblue.model.finding import Finding, Verdict
from codeblue.model.fleet import Judged, NodeFinding, NodeState, Role, Run
from codeblue.model.site import Waiver
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.sources.live import view_of
from codeblue.sources.logs import Signatures

SIGHTINGS = ("torch_trial", "kernel_log", "container_run")
"""Sections whose words the signatures are tried on."""
AT_ONCE = 500
"""Nodes whose contents are in memory together."""


class Judge:
    """Judges nodes one after the other, remembering what equal facts gave."""

    def __init__(
        self, faults: Sequence[Fault], signatures: Signatures, waivers: Sequence[Waiver] = ()
    ) -> None:
        self._signatures = signatures
        self._waivers = waivers
        self._needs = {entry.id: entry.needs for entry in index.entries().values()}
        self._graph = index.explains()
        self._faults = faults
        self._read = {fault.id: _sections(fault, self._needs[fault.id]) for fault in faults}
        self._verdicts: dict[tuple[str, tuple[str | None, ...]], Verdict] = {}

    def run(self, store: Store, run: Run) -> Iterator[Judged]:
        """Yield the verdict on every node of a run, in the order of their names."""
        for nodes in _batches(store.nodes(run)):
            wanted = list({digest for node in nodes for digest in node.sections.values()})
            contents = {digest: json.decode(body) for digest, body in store.contents(wanted).items()}
            for node in nodes:
                yield self.judged(node, contents)

    def judged(self, node: Node, contents: Mapping[str, Any]) -> Judged:
        """Return the verdict on one node."""
        plain = Judged(
            node=node.name,
            group=node.group,
            state=node.state,
            why=node.why,
            verdict="",
            seconds=node.seconds,
        )
        if node.state is not NodeState.ANSWERED:
            return plain
        view = view_of(document(node, contents), node.name, self._signatures, node.seconds)
        found = self.diagnosis(node, view)
        return structs.replace(
            plain,
            verdict=found.verdict.value,
            without_gpu=view.without_gpu,
            host=found.host,
            findings=_findings(found),
        )

    def diagnosis(self, node: Node, view: View) -> Diagnosis:
        """Return the whole diagnosis of one node."""
        snapshot = Snapshot(target=node.name, views=[view])
        today = date.today()

        def verdicts(faults: Iterable[Fault], joined: View) -> list[Verdict]:
            return [self._verdict(fault, joined, node.sections) for fault in faults]

        return diagnosis.diagnose(
            snapshot,
            self._faults,
            self._needs,
            self._graph,
            knowledge.DATE,
            self._waivers,
            today,
            verdicts_of=verdicts,
        )

    def _verdict(self, fault: Fault, view: View, hashes: Mapping[str, str]) -> Verdict:
        key = (fault.id, tuple([hashes.get(name) for name in self._read[fault.id]]))
        known = self._verdicts.get(key)
        if known is None:
            [known] = evaluate([fault], view)
            self._verdicts[key] = known
        if not known.findings:
            return known
        findings = tuple(structs.replace(one, host=view.host_name) for one in known.findings)
        return structs.replace(known, findings=findings)


def document(node: Node, contents: Mapping[str, Any]) -> dict[str, Any]:
    """Return the probe's answer as it came."""
    sections = {name: contents[digest] for name, digest in node.sections.items() if digest in contents}
    return {**node.header, "sections": sections}


def snapshot_of(store: Store, node: Node, signatures: Signatures) -> Snapshot:
    """Return the snapshot of one node."""
    contents = {
        name: json.decode(body) for name, body in store.contents(list(node.sections.values())).items()
    }
    view = view_of(document(node, contents), node.name, signatures, node.seconds)
    return Snapshot(target=node.name, views=[view])


def _sections(fault: Fault, needs: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sections that a rule's verdict depends on."""
    names = dict.fromkeys(name for name in needs if name in SECTIONS and name != "sightings")
    if "sightings" in needs or fault.signatures or fault.clues:
        names.update(dict.fromkeys(SIGHTINGS))
    return tuple(names)


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


def _batches(nodes: Iterable[Node]) -> Iterator[list[Node]]:
    batch: list[Node] = []
    for node in nodes:
        batch.append(node)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
