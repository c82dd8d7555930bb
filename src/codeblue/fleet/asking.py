"""Ask the nodes of an engine, and hand on their replies as they come."""

import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone

from msgspec import structs

from codeblue import __version__, knowledge
from codeblue.fleet.engines.base import Engine, Order
from codeblue.model.fleet import Listed, NodeState, Reply, Run
from codeblue.sources.launch import Options, new_marker
from codeblue.sources.probe_text import program

START = 20.0
"""Seconds beyond the probe's own budget: connecting, starting Python, sending the text."""


def new_run(engine: Engine, asked: Sequence[str]) -> Run:
    """Return a run over all nodes of the engine. Raises Unusable."""
    now = datetime.now(timezone.utc)
    return Run(
        id=now.strftime("%Y%m%dT%H%M%S") + f"-{time.monotonic_ns() % 0xFFFF:04x}",
        engine=engine.name,
        asked=tuple(asked),
        nodes=tuple(engine.nodes()),
        codeblue=__version__,
        data=knowledge.DATE,
    )


def ask(engine: Engine, nodes: Sequence[Listed], options: Options, limit: int) -> Iterator[Reply]:
    """Yield a reply of every node, first of those that are not to be asked."""
    wanted = [node for node in nodes if node.state is None]
    for node in nodes:
        if node.state is not None:
            yield Reply(node=node.name, state=node.state, why=node.why, group=node.group)
    if wanted:
        yield from _all_of(engine, wanted, order_of(options, limit))


def _all_of(engine: Engine, nodes: Sequence[Listed], order: Order) -> Iterator[Reply]:
    """Yield one reply a node, also where the engine has ended without a word about it."""
    left = {node.name: node for node in nodes}
    for reply in engine.run(order, nodes):
        if left.pop(reply.node, None):
            yield structs.replace(reply, heard=time.time())
    for node in left.values():
        why = "the engine ended without an answer of this node"
        yield Reply(node=node.name, state=NodeState.SILENT, why=why, group=node.group)


def order_of(options: Options, limit: int) -> Order:
    """Return the program for all nodes, with a marker of its own."""
    marker = new_marker()
    config = {
        "marker": marker,
        "framed": True,
        "budget": options.budget,
        "until": options.until,
        "salt": options.salt,
        "trials": options.trials,
    }
    return Order(text=program(config), marker=marker, seconds=options.budget + START, limit=limit)
