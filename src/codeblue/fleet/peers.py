"""Which nodes are compared with each other: same GPUs, same number of them, same group of the engine."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from codeblue.model.oddities import Peers

if TYPE_CHECKING:
    import duckdb

FEWEST = 4
"""Nodes of a group: among three, one that differs from two says nothing yet."""
MODELS = ("nvml.gpus.name", "driver.gpus.model", "cuda.devices.name")
"""Places that tell the model of every GPU, the best first."""

Kind = tuple[str, str, int]
"""Group of the engine, model, number of GPUs."""


def peers(database: "duckdb.DuckDBPyConnection") -> tuple[list[Peers], list[str]]:
    """Return the groups of a run, and the nodes that have no group.

    A few nodes of one kind go with the largest kind of the same model, or of the same group of the engine: a
    node that has lost a GPU is odd among its peers, not a kind of its own.
    """
    kinds = _kinds(database)
    sizes = Counter(kinds.values())
    chosen = {kind: _joins(kind, sizes) for kind in sizes}
    members: dict[Kind, list[str]] = {}
    for node, kind in kinds.items():
        members.setdefault(chosen[kind], []).append(node)
    groups = [Peers(name=_name(kind), nodes=tuple(nodes)) for kind, nodes in sorted(members.items())]
    alone = [node for group in groups if len(group.nodes) < FEWEST for node in group.nodes]
    return [group for group in groups if len(group.nodes) >= FEWEST], alone


def _kinds(database: "duckdb.DuckDBPyConnection") -> dict[str, Kind]:
    query = (
        "with named as (select hash, place, count(*) as n, mode(value) as model from contents "
        "where place in (select unnest($1)) group by all), "
        "seen as (select l.node, place, n, model from links l semi join latest using (run, node, part) "
        "join named using (hash)) "
        "select n.node, n.grp, s.place, s.n, s.model from nodes n left join seen s using (node) "
        "where n.state = 'answered' order by n.node"
    )
    found: dict[str, tuple[int, Kind]] = {}
    for node, group, place, count, model in database.execute(query, [list(MODELS)]).fetchall():
        order = MODELS.index(place) if place else len(MODELS)
        if node not in found or order < found[node][0]:
            found[node] = (order, (group, model or "", count or 0))
    return {node: kind for node, (_, kind) in found.items()}


def _joins(kind: Kind, sizes: Counter[Kind]) -> Kind:
    if sizes[kind] >= FEWEST:
        return kind
    group, model, _ = kind
    same_model = [other for other in sizes if other[:2] == (group, model)]
    same_group = [other for other in sizes if other[0] == group]
    return max(_large(same_model, sizes) or _large(same_group, sizes) or [kind], key=sizes.__getitem__)


def _large(kinds: Iterable[Kind], sizes: Counter[Kind]) -> list[Kind]:
    return [kind for kind in kinds if sizes[kind] >= FEWEST]


def _name(kind: Kind) -> str:
    group, model, count = kind
    what = f"{model} × {count}" if model else "-"
    return f"{group}: {what}" if group else what
