"""Nodes of a run that are alike in what somebody asks about: one of them answers for all."""

from collections.abc import Collection, Iterator

from codeblue.fleet.facts import Facts, Pool
from codeblue.fleet.store import Store
from codeblue.model.fleet import NodeState, Run
from codeblue.model.snapshot import View

MOST = 100
"""Sets of alike nodes that are told apart, the largest; in a fleet without two alike nodes that is enough."""


def alike(store: Store, run: Run, sections: Collection[str]) -> Iterator[tuple[list[str], View]]:
    """Yield names of nodes that answered, and what they share, for those with the same sections.

    What is a node's own (``fleet.own``) is not in the view.
    """
    sets: dict[tuple[str | None, ...], list[str]] = {}
    for node in store.nodes(run):
        if node.state is NodeState.ANSWERED:
            sets.setdefault(tuple(map(node.sections.get, sections)), []).append(node.name)
    for names in sorted(sets.values(), key=len, reverse=True)[:MOST]:
        if (first := store.node(run, names[0])) is not None:
            pool = Pool(store.contents(set(first.sections.values())))
            yield names, Facts(first, pool, None).view()
