"""One fault on many nodes is one finding."""

from collections.abc import Iterable

from codeblue.model.fault import Certainty, Kind
from codeblue.model.fleet import Judged, NodeFinding, Role, Shared

ROLES = {role: order for order, role in enumerate(Role)}
_ORDER = {certainty: order for order, certainty in enumerate(Certainty)}


def shared(nodes: Iterable[Judged]) -> list[Shared]:
    """Return what was found, causes first, then by how many nodes have it."""
    found: dict[tuple[str, Role, Kind], list[tuple[str, NodeFinding]]] = {}
    for node in nodes:
        for one in node.findings:
            found.setdefault((one.fault, one.role, one.kind), []).append((node.node, one))
    rows = [_row(fault, role, kind, hits) for (fault, role, kind), hits in found.items()]
    return sorted(rows, key=lambda one: (ROLES[one.role], -len(one.nodes), one.fault))


def _row(fault: str, role: Role, kind: Kind, hits: list[tuple[str, NodeFinding]]) -> Shared:
    first = hits[0][1]
    return Shared(
        fault=fault,
        layer=first.layer,
        kind=kind,
        certainty=min((one.certainty for _, one in hits), key=_ORDER.__getitem__),
        role=role,
        nodes=tuple(dict.fromkeys(node for node, _ in hits)),
        summary=first.summary,
        subjects=len(hits),
    )
