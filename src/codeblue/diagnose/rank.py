"""From findings to causes: a cause is a trouble that no other finding explains."""

from collections.abc import Mapping

from msgspec import structs

from codeblue.model.diagnosis import Explained
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Finding
from codeblue.model.layers import DEPTH

_CERTAINTY = {certainty: order for order, certainty in enumerate(Certainty)}


Graph = Mapping[str, tuple[str, ...]]


def rank(findings: list[Finding], graph: Graph) -> tuple[list[Explained], list[Explained]]:
    """Return ``(causes, consequences)``, the first cause first.

    ``graph`` gives for every fault of the catalogue the faults that it explains.

    A risk takes part only if it explains a trouble that was seen; it then becomes
    a trouble itself.
    """
    troubles = [f for f in findings if f.kind is Kind.TROUBLE]
    risks = [f for f in findings if f.kind is Kind.RISK]
    biting = [r for r in risks if any(_explains(r, t, graph) for t in troubles)]
    seen = [*troubles, *(structs.replace(r, kind=Kind.TROUBLE) for r in biting)]
    causes, consequences = [], []
    for one in seen:
        by = [other for other in seen if other is not one and _explains(other, one, graph)]
        if by:
            consequences.append(Explained(one, _names(by)))
        else:
            explained = [other for other in seen if other is not one and _explains(one, other, graph)]
            causes.append(Explained(one, _names(explained)))
    causes.sort(key=_order)
    return causes, consequences


def _names(findings: list[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f.fault for f in findings))


def _order(cause: Explained) -> tuple[int, int, int, int, str]:
    finding = cause.finding
    depth = DEPTH[finding.layer] if finding.layer else len(DEPTH)
    # An early rank comes before later ones; among equals the more specific finding
    # (more evidence, more explained) comes first.
    return (
        _CERTAINTY[finding.certainty],
        depth,
        -len(cause.others),
        -len(finding.evidence),
        finding.time or finding.subject,
    )


def _explains(cause: Finding, effect: Finding, graph: Graph) -> bool:
    if cause.fault == effect.fault or not _joinable(cause, effect):
        return False
    return effect.fault in _reach(cause.fault, graph)


def _joinable(one: Finding, other: Finding) -> bool:
    """False if ``one`` cannot explain ``other``: another host or thing, or from inside to outside."""
    if one.host and other.host and one.host != other.host:
        return False
    if (one.side, other.side) == ("container", "host"):
        return False  # what is inside explains nothing of what is around it
    kind, _, name = one.subject.partition(":")
    other_kind, _, other_name = other.subject.partition(":")
    if kind != other_kind or kind != "gpu":
        return True
    # CUDA and NVML count GPUs, the bus and the kernel log give addresses: nobody knows which is which.
    return name == other_name or (":" in name) != (":" in other_name)


def _reach(start: str, graph: Graph) -> set[str]:
    reached: set[str] = set()
    todo = [start]
    while todo:
        for effect in graph.get(todo.pop(), ()):
            if effect not in reached:
                reached.add(effect)
                todo.append(effect)
    return reached
