"""Nodes that give no answer, and what they may share: a group, a rack, neighbours on one switch."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from codeblue.model.fault import Certainty
from codeblue.model.fleet import Cascade, CascadeKind, Judged, NodeState
from codeblue.model.text import Message, message

FEWEST = 4
"""Nodes that must show the same; fewer fail together by chance."""
NEARLY_ALL = 0.8
NEIGHBOURS = 8
"""Silent nodes with consecutive numbers; a rack or a switch seldom has fewer."""
ABSENT = (NodeState.SILENT, NodeState.REFUSED, NodeState.DOWN)
LAST_NUMBER = re.compile(r"(\d+)(?=\D*$)")


def silent(groups: Mapping[str, Sequence[Judged]], nodes: Sequence[Judged]) -> Iterator[Cascade]:
    """Yield groups, racks by their names, and rows of neighbours that gave no answer together."""
    everyone = len(nodes)
    answered = sum(node.state is NodeState.ANSWERED for node in nodes)
    told: set[str] = set()
    racks = _racks(nodes)
    for name, members in (*groups.items(), *racks.items()):
        absent = [node for node in members if node.state in ABSENT and node.node not in told]
        if len(absent) < FEWEST or len(absent) < NEARLY_ALL * len(members) or len(members) == everyone:
            continue
        if not answered:
            continue
        told |= {node.node for node in absent}
        whole = len(absent) == len(members)
        yield Cascade(
            kind=CascadeKind.SILENT_GROUP,
            group=name,
            nodes=named(absent),
            of=len(members),
            certainty=Certainty.LIKELY if whole else Certainty.POSSIBLE,
            summary=message(
                "{n} of {of} nodes of {group} gave no answer at once: look at what they share (switch, "
                "power, the way there) before the nodes",
                "{group} 的 {of} 个节点中有 {n} 个同时没有回答："
                "先查它们共用的部分（交换机、供电、网络路径），再查节点",
                n=len(absent),
                of=len(members),
                group=name or "-",
            ),
            because=(_others(answered, everyone), *_words(absent)),
        )
    yield from _rows(nodes, told, answered)


def _racks(nodes: Iterable[Judged]) -> dict[str, list[Judged]]:
    """Return nodes whose names share all but the last number, where there is another number before it."""
    found: dict[str, list[Judged]] = {}
    for node in nodes:
        name = node.node.rpartition("@")[2].partition(".")[0]
        last = LAST_NUMBER.search(name)
        if last and re.search(r"\d", before := name[: last.start()]):
            found.setdefault(f"{before}*", []).append(node)
    return found if len(found) > 1 else {}


def _rows(nodes: Sequence[Judged], told: set[str], answered: int) -> Iterator[Cascade]:
    """Yield rows of neighbours, by number, that gave no answer while those before and after did."""
    for row in neighbours(nodes, lambda node: node.state in ABSENT and node.node not in told):
        if len(row) >= NEIGHBOURS and answered:
            yield Cascade(
                kind=CascadeKind.SILENT_GROUP,
                group="",
                nodes=named(row),
                of=len(row),
                certainty=Certainty.POSSIBLE,
                summary=message(
                    "{n} neighbours by name gave no answer: if they stand in one rack or on one switch, look "
                    "there first",
                    "{n} 个名称相邻的节点没有回答：如果它们在同一机架或同一交换机上，先查那里",
                    n=len(row),
                ),
                because=(_others(answered, len(nodes)), *_words(row)),
            )


def neighbours(nodes: Sequence[Judged], wanted: Callable[[Judged], bool]) -> Iterator[list[Judged]]:
    """Yield the longest rows of wanted nodes whose names differ by one in their last number."""
    keyed: dict[tuple[str, str], list[tuple[int, Judged]]] = {}
    for node in nodes:
        if last := LAST_NUMBER.search(node.node):
            ends = node.node[: last.start()], node.node[last.end() :]
            keyed.setdefault(ends, []).append((int(last.group()), node))
    for members in keyed.values():
        row: list[Judged] = []
        before = None
        for number, node in sorted(members, key=lambda one: one[0]):
            if row and (before is None or number != before + 1 or not wanted(node)):
                yield row
                row = []
            if wanted(node):
                row.append(node)
            before = number
        if row:
            yield row


def named(nodes: Iterable[Judged]) -> tuple[str, ...]:
    """Return the names of nodes."""
    return tuple(node.node for node in nodes)


def _others(answered: int, everyone: int) -> Message:
    return message(
        "{n} of {of} nodes of the run did answer",
        "本次运行的 {of} 个节点中有 {n} 个作了回答",
        n=answered,
        of=everyone,
    )


def _words(nodes: Iterable[Judged]) -> Iterator[Message]:
    for why, count in Counter(node.why for node in nodes if node.why).most_common(2):
        yield message("{n} × {why}", "{n} × {why}", n=count, why=why)
