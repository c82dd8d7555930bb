"""Whether the nodes are who the engine says they are, and whether their clocks agree with ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timezone

from msgspec import structs

from codeblue.model.fleet import Judged, Run
from codeblue.model.node_sets import fold
from codeblue.model.text import Message, message

CLOCK = 10.0
"""Seconds that a clock may be off: munge takes five minutes, log lines of two nodes should be comparable."""
NAMED = 20
"""Nodes of one host name up to which each is told the others by name."""


def noted(nodes: Sequence[Judged], run: Run, pseudonym: Callable[[str], str]) -> list[Judged]:
    """Return the nodes with notes; ``pseudonym`` is what the probe makes of a host's name."""
    called = {node.name: node.host or node.name for node in run.nodes}
    strangers = _strangers(nodes, called, pseudonym)
    twins = _twins(nodes)
    found = []
    for node in nodes:
        notes = [strangers.get(node.node), twins.get(node.node), _clock(node)]
        found.append(structs.replace(node, notes=tuple(note for note in notes if note is not None)))
    return found


def offset(started: str, took: float, heard: float, seconds: float) -> float:
    """Return by how many seconds a clock is certainly off, ahead of ours if positive.

    The node says when it ``started`` (UTC, ISO 8601) and how long it ``took``; it was asked ``seconds``
    before ``heard`` (seconds of our clock), so it can have neither started before nor ended after.
    Raises ValueError.
    """
    start = datetime.strptime(started, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()
    ahead = start + took - heard
    behind = heard - seconds - start - 1  # its word has whole seconds
    return round(ahead, 1) if ahead > 0 else -round(max(0.0, behind), 1)


def _strangers(
    nodes: Iterable[Judged], called: Mapping[str, str], pseudonym: Callable[[str], str]
) -> dict[str, Message]:
    """Return those with another name than the engine has for them, if most have that one.

    Where most have not, the engine's names are aliases or addresses, and nothing follows.
    """
    told = [node for node in nodes if node.host is not None]
    others = [node for node in told if node.host not in _known(called.get(node.node, node.node), pseudonym)]
    if 2 * len(others) >= len(told):
        return {}
    line = message(
        "calls itself otherwise than the engine does: look whether this is the machine that was meant",
        "自称的主机名与引擎所用的名称不同：请确认这就是想查看的那台机器",
    )
    return {node.node: line for node in others}


def _known(name: str, pseudonym: Callable[[str], str]) -> set[str]:
    plain = name.rpartition("@")[2]
    return {pseudonym(one) for one in (plain, plain.partition(".")[0])}


def _twins(nodes: Iterable[Judged]) -> dict[str, Message]:
    """Return those that share their name with another, and whether that is the same machine."""
    named: dict[str, list[Judged]] = {}
    for node in nodes:
        if node.host is not None:
            named.setdefault(node.host, []).append(node)
    found: dict[str, Message] = {}
    for same in named.values():
        boots: dict[str | None, list[Judged]] = {}
        for node in same if len(same) > 1 else ():
            boots.setdefault(node.boot, []).append(node)
        for twins in boots.values():
            others = twins if len(twins) > 1 else same
            told = _same if len(twins) > 1 else _namesake
            found |= {node.node: told(node, others) for node in twins}
    return found


def _same(node: Judged, twins: Sequence[Judged]) -> Message:
    if len(twins) > NAMED:
        return message(
            "is the same machine as {n} other nodes", "与另外 {n} 个节点是同一台机器", n=len(twins) - 1
        )
    return message("is the same machine as {others}", "与 {others} 是同一台机器", others=_others(node, twins))


def _namesake(node: Judged, same: Sequence[Judged]) -> Message:
    if len(same) > NAMED:
        return message(
            "has the same host name as {n} other nodes", "与另外 {n} 个节点主机名相同", n=len(same) - 1
        )
    return message(
        "is another machine than {others}, yet has the same host name",
        "与 {others} 不是同一台机器，主机名却相同",
        others=_others(node, same),
    )


def _others(node: Judged, same: Sequence[Judged]) -> str:
    return fold(one.node for one in same if one is not node)


def _clock(node: Judged) -> Message | None:
    if node.skew is None or abs(node.skew) < CLOCK:
        return None
    if node.skew > 0:
        return message(
            "its clock is at least {n} s ahead of this machine's",
            "时钟比本机至少快 {n} 秒",
            n=f"{node.skew:.0f}",
        )
    return message(
        "its clock is at least {n} s behind this machine's", "时钟比本机至少慢 {n} 秒", n=f"{-node.skew:.0f}"
    )
