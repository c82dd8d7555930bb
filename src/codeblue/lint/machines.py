"""The same files against several machines: what holds for all of them, and what for some."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from codeblue.lint.rules import every
from codeblue.model.lint import Finding, Linted
from codeblue.model.node_sets import fold
from codeblue.model.section import Section
from codeblue.model.text import Message, Text

FOLDED = 120
"""Characters of a set of machines in a finding."""
# Their values have names that no rule's own message uses.
NONE = Text(
    "{what} ({fleet_n} of {fleet_of} nodes: {fleet_names}; the others differ from it in other ways)",
    "{what}（{fleet_of} 个节点中的 {fleet_n} 个：{fleet_names}；其余节点也与此不符，只是具体不同）",
)
SOME = Text(
    "{what} ({fleet_n} of {fleet_of} nodes: {fleet_names})",
    "{what}（{fleet_of} 个节点中的 {fleet_n} 个：{fleet_names}）",
)


def asked() -> list[str]:
    """Return the names of the sections that rules ask a machine for."""
    needs = (need for rule in every() for need in rule.needs)
    return sorted({need.NAME for need in needs if issubclass(need, Section)})


def together(found: Sequence[tuple[Sequence[str], Linted]]) -> Linted:
    """Return one result of those for several sets of machines: a finding tells for whom it holds.

    What all of them have in common stays as it is; what no machine could answer counts as skipped.
    """
    _, first = found[0]
    places: dict[Any, dict[str, tuple[Finding, list[str]]]] = {}
    for names, linted in found:
        for finding in linted.findings:
            here = places.setdefault((*finding.order, finding.variant), {})
            here.setdefault(finding.message.say("en"), (finding, []))[1].extend(names)
    count = sum(len(names) for names, _ in found)
    findings = (one for here in places.values() for one in _told(list(here.values()), count))
    skipped = [one for one in first.skipped if all(one in linted.skipped for _, linted in found)]
    return structs.replace(
        first,
        findings=tuple(sorted(findings, key=lambda finding: finding.order)),
        hidden=max(linted.hidden for _, linted in found),
        skipped=tuple(skipped),
    )


def _told(found: list[tuple[Finding, list[str]]], count: int) -> Iterator[Finding]:
    """Yield what is said of one place: once where it fits no machine at all."""
    (first, names), *more = found
    if more and sum(len(names) for _, names in found) == count:
        yield _with(first, NONE, names, count)
        return
    for finding, names in found:
        yield finding if len(names) == count else _with(finding, SOME, names, count)


def _with(finding: Finding, frame: Text, names: Sequence[str], count: int) -> Finding:
    nodes = fold(names)
    told = nodes if len(nodes) <= FOLDED else nodes[: FOLDED - 1] + "…"
    what, own = finding.message.text, finding.message.values
    text = Text(frame.en.replace("{what}", what.en), frame.zh.replace("{what}", what.zh))
    values = {**own, "fleet_names": told, "fleet_n": str(len(names)), "fleet_of": str(count)}
    return structs.replace(finding, message=Message(text, values))
