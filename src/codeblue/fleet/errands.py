"""Send the errand program to nodes, and read what their codeblue says."""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, json

from codeblue.fleet.engines.base import Engine, Order
from codeblue.model.fleet import Listed, NodeState, Reply
from codeblue.model.plan import Plan
from codeblue.model.rollout import NodePlan, Outcome
from codeblue.sources.launch import new_marker

PROGRAM = Path(__file__).with_name("errand_program.py")
START = 20.0
"""Seconds for connecting and starting Python."""
ENDING = 60.0
"""Seconds in which a codeblue that was told to stop takes back what it has begun, and tells it."""


class Errand(Struct, frozen=True, kw_only=True):
    """What a node's codeblue is to do."""

    verb: str
    """``plan``, ``apply`` or ``undo``."""
    run: str
    fault: str
    words: tuple[str, ...] = ()
    """That start codeblue on the nodes; empty for the one that is found there."""
    seconds: float = 300.0
    limit: int = 64
    yes: bool = False
    approvals: Mapping[str, Sequence[str]] = {}
    """By the digest of a node's plan the texts of its approvals."""
    plans: Sequence[str] = ()
    """Digests of the plans that are meant; others are left alone."""
    drain: str = ""
    """Reason with which Slurm is told to start nothing on the node meanwhile; empty: it is not told."""


class Answer(Struct, frozen=True, kw_only=True):
    """What came of an errand on one node."""

    node: str = ""
    outcome: Outcome | None = None
    why: str = ""
    plan: Plan | None = None
    home: str = ""
    digest: str = ""
    drained: bool = False
    note: str = ""
    """What Slurm said where it did not do as asked."""


def send(engine: Engine, nodes: Sequence[Listed], errand: Errand) -> Iterator[Answer]:
    """Yield one answer a node, also for those that are not to be asked or say nothing."""
    for node in nodes:
        if node.state is not None:
            yield Answer(node=node.name, outcome=Outcome.LEFT_ALONE, why=node.why or node.state.value)
    left = {node.name: node for node in nodes if node.state is None}
    if left:
        for reply in engine.run(order_of(errand), list(left.values())):
            if left.pop(reply.node, None):
                yield _answer(reply)
    for name in left:
        yield Answer(node=name, outcome=Outcome.SILENT, why="the engine ended without a word of this node")


def order_of(errand: Errand) -> Order:
    """Return the program with its order, with a marker of its own."""
    marker = new_marker()
    told: dict[str, Any] = msgspec.to_builtins(errand) | {"marker": marker}
    told["words"] = list(errand.words)
    # As text within text: JSON is not quite Python.
    head = f"import json\nORDER = json.loads({json.encode(json.encode(told).decode()).decode()})\n"
    seconds = errand.seconds + START + ENDING
    return Order(text=head + PROGRAM.read_text("utf-8"), marker=marker, seconds=seconds, limit=errand.limit)


def node_plan(answer: Answer) -> NodePlan:
    """Return what a node answered to the verb ``plan``."""
    return NodePlan(
        node=answer.node,
        plan=answer.plan,
        home=answer.home,
        outcome=answer.outcome if answer.plan is None else None,
        why=answer.why,
    )


def _answer(reply: Reply) -> Answer:
    if reply.document is None:
        silent = reply.state in (NodeState.SILENT, NodeState.UNUSABLE)
        return Answer(
            node=reply.node, outcome=Outcome.SILENT if silent else Outcome.LEFT_ALONE, why=reply.why
        )
    try:
        answer = json.decode(reply.document, type=Answer)
    except msgspec.MsgspecError as error:
        return Answer(node=reply.node, outcome=Outcome.SILENT, why=f"its answer cannot be read: {error}")
    if answer.outcome is None and answer.plan is None:
        return Answer(node=reply.node, outcome=Outcome.SILENT, why="its answer tells no outcome")
    return msgspec.structs.replace(answer, node=reply.node)


def now() -> str:
    """Return the time for a journal, UTC, ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
