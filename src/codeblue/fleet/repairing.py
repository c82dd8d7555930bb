"""Repair many nodes wave by wave; what is done and what came of it is in the journal first."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec import json, structs

from codeblue.fleet.engines.base import Engine
from codeblue.fleet.errands import Answer, Errand, send
from codeblue.fleet.rollout import Rollout, Verdict
from codeblue.fleet.rollout_journal import Journal
from codeblue.model.approval import Approval
from codeblue.model.fleet import Listed
from codeblue.model.rollout import Event, NodePlan, Outcome, Pace

DONE = (Outcome.FIXED, Outcome.NOTHING)
"""Not asked again."""
VERDICTS = {
    Outcome.FIXED: Verdict.HELPED,
    Outcome.AWAITING: Verdict.WAITING,
    Outcome.NOTHING: Verdict.NOTHING,
    Outcome.LEFT_ALONE: Verdict.NOTHING,
}
"""All others count as failed: that the repair helped was not seen."""


def groups(plans: Sequence[NodePlan]) -> list[tuple[NodePlan, tuple[str, ...]]]:
    """Return each different plan once with its nodes, that of most nodes first."""
    found: dict[bytes, list[NodePlan]] = {}
    for one in plans:
        if one.plan is not None:
            found.setdefault(_key(one), []).append(one)
    rows = [(alike[0], tuple(one.node for one in alike)) for alike in found.values()]
    return sorted(rows, key=lambda row: -len(row[1]))


def _key(one: NodePlan) -> bytes:
    assert one.plan is not None
    text = json.encode(one.plan.items)
    return text.replace(one.home.encode(), b"~") if one.home else text


def digest(plans: Sequence[NodePlan]) -> str:
    """Return the digest over the plans of all nodes: what an approval of the whole names."""
    rows = sorted(f"{one.node} {one.plan.digest}" for one in plans if one.plan)
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def approved(plans: Sequence[NodePlan], signed: Sequence[Approval]) -> dict[str, list[str]]:
    """Return by the digest of a node's plan the texts of its approvals.

    Who approves the whole approves the plan of each node; whether he may is the node's word.
    """
    whole = digest(plans)
    return {
        one.plan.digest: [
            _text(paper, one.plan.digest) for paper in signed if paper.plan in (whole, one.plan.digest)
        ]
        for one in plans
        if one.plan
    }


def _text(paper: Approval, plan: str) -> str:
    # A string of JSON is one of TOML, if what lies beyond ASCII is left as it is.
    owner, risks = json.encode(paper.owner).decode(), json.encode(paper.risks).decode()
    return f'plan = "{plan}"\nowner = {owner}\nuntil = {paper.until.isoformat()}\nrisks = {risks}\n'


def order(plans: Sequence[NodePlan], journal: Journal) -> list[str]:
    """Return the nodes that are to be asked: those that await a reboot first, those that failed last."""
    last = journal.last()
    names = [one.node for one in plans if one.plan]
    known = {name: last[name].outcome for name in names if name in last and last[name].event is Event.OUTCOME}
    waiting = [name for name in names if known.get(name) is Outcome.AWAITING]
    fresh = [name for name in names if name not in last or last[name].event is Event.UNDONE]
    rest = [name for name in names if name not in {*waiting, *fresh} and known.get(name) not in DONE]
    return [*waiting, *fresh, *rest]


def repair(
    engine: Engine,
    listed: Mapping[str, Listed],
    errand: Errand,
    plans: Mapping[str, str],
    names: Sequence[str],
    pace: Pace,
    journal: Journal,
) -> Iterator[Answer]:
    """Yield what became of each node that was touched or left alone; the journal tells why it ended.

    ``plans`` are the digests of the plans by node.
    """
    rollout = Rollout(names, pace)
    while wave := rollout.wave():
        nodes = [listed[name] for name in wave]
        for node in nodes:
            if node.state is None:
                journal.add(Event.ASKED, node=node.name, wave=rollout.waves, plan=plans[node.name])
        for answer in send(engine, nodes, errand):
            assert answer.outcome is not None or answer.plan is not None
            told = structs.replace(answer, outcome=answer.outcome or Outcome.FAILED)
            journal.add(
                Event.OUTCOME,
                node=told.node,
                wave=rollout.waves,
                outcome=told.outcome,
                why=": ".join(filter(None, (told.why, told.note))),
                plan=plans[told.node],
                drained=told.drained,
            )
            rollout.tell(told.node, VERDICTS.get(told.outcome or Outcome.FAILED, Verdict.FAILED))
            yield told
    if rollout.stopped:
        journal.add(Event.STOPPED, stop=rollout.stopped, wave=rollout.waves)
    else:
        journal.add(Event.END)


def take_back(engine: Engine, listed: Sequence[Listed], errand: Errand, journal: Journal) -> Iterator[Answer]:
    """Yield what became of taking back the repair on each node."""
    for answer in send(engine, listed, errand):
        gone = answer.outcome in (Outcome.TAKEN_BACK, Outcome.NOTHING)
        event = Event.UNDONE if gone else Event.NOT_UNDONE
        journal.add(event, node=answer.node, outcome=answer.outcome, why=answer.why)
        yield answer
