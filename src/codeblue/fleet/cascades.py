"""One thing behind many nodes: what they share is told apart from faults of single nodes.

Nothing here is certain: that nodes fail together is a reason to look at what they share, no proof.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from packaging.version import InvalidVersion, Version

from codeblue.fleet.silence import FEWEST, NEARLY_ALL, named, neighbours, silent
from codeblue.model.fault import Certainty
from codeblue.model.fleet import Cascade, CascadeKind, Judged, NodeState, Role
from codeblue.model.text import Message, message

ORDER = 0.9
"""Part of the pairs of nodes that must have booted in the order of their versions."""


def cascades(nodes: Sequence[Judged]) -> list[Cascade]:
    """Return what many nodes have in common, the surest first."""
    groups = _groups(nodes)
    finders: tuple[Callable[[str, Sequence[Judged]], Iterable[Cascade]], ...] = (
        *(_file_servers, _switches, _roll_outs, _common_faults),
    )
    found = list(silent(groups, nodes))
    for name, members in groups.items():
        found += [one for find in finders for one in find(name, members)]
    order = list(Certainty)
    return sorted(found, key=lambda one: (order.index(one.certainty), -len(one.nodes), one.kind.value))


def _groups(nodes: Iterable[Judged]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for node in nodes:
        found.setdefault(node.group, []).append(node)
    return found


def _file_servers(group: str, members: Sequence[Judged]) -> Iterator[Cascade]:
    answered = [node for node in members if node.state is NodeState.ANSWERED]
    for role, kind in sorted({one for node in answered for one in node.marks.silent}):
        hit = [node for node in answered if (role, kind) in node.marks.silent]
        if len(hit) < FEWEST:
            continue
        most = len(hit) >= NEARLY_ALL * len(answered)
        yield Cascade(
            kind=CascadeKind.FILE_SERVER,
            group=group,
            nodes=named(hit),
            of=len(answered),
            certainty=Certainty.LIKELY if most else Certainty.POSSIBLE,
            summary=message(
                "the {kind} file system at {role} answers none of {n} nodes: look at its server or the "
                "network to it first",
                "{role} 上的 {kind} 文件系统对 {n} 个节点都没有应答：先查其服务器或通往它的网络",
                kind=kind,
                role=role,
                n=len(hit),
            ),
            because=(
                message(
                    "it answers {n} other nodes of the group; which server stands behind it is not read",
                    "同组另有 {n} 个节点能用；其背后的服务器没有读取",
                    n=len(answered) - len(hit),
                ),
            ),
        )


def _switches(group: str, members: Sequence[Judged]) -> Iterator[Cascade]:
    for port in sorted({one for node in members for one in node.marks.down}):
        up = [node for node in members if port in node.marks.up]
        down = [node for node in members if port in node.marks.down]
        # A port that most nodes leave down is not used at all.
        if len(down) < FEWEST or len(down) >= len(up):
            continue
        row = max(neighbours(members, _down(port)), key=len, default=[])
        together = len(row) >= NEARLY_ALL * len(down)
        yield Cascade(
            kind=CascadeKind.SWITCH,
            group=group,
            nodes=named(down),
            of=len(down) + len(up),
            certainty=Certainty.LIKELY if together else Certainty.POSSIBLE,
            summary=message(
                "the link of {port} is down on {n} nodes at once: a switch that they share is likelier than "
                "as many cables",
                "{n} 个节点的 {port} 链路同时断开：与其说是这么多根线缆，更可能是它们共用的交换机",
                port=port,
                n=len(down),
            ),
            because=(
                message("it is up on {n} nodes of the group", "同组 {n} 个节点的该链路正常", n=len(up)),
                message("{n} of them are neighbours by name", "其中 {n} 个名称相邻", n=len(row)),
            ),
        )


def _down(port: str) -> Callable[[Judged], bool]:
    return lambda node: port in node.marks.down


def _roll_outs(group: str, members: Sequence[Judged]) -> Iterator[Cascade]:
    """Yield a driver roll-out: two versions of one GPU model, or libraries newer than the loaded module."""
    for model in sorted({node.marks.gpu for node in members if node.marks.gpu}):
        same = [node for node in members if node.marks.gpu == model and _version(node.marks.driver)]
        versions = Counter(node.marks.driver for node in same)
        waiting = [node for node in same if _newer(node.marks.installed, node.marks.driver)]
        if len(versions) == 2:
            old, new = sorted(versions, key=lambda name: _version(name) or Version("0"))
            if min(versions.values()) + len(waiting) >= FEWEST:
                yield _two(group, same, old, new, waiting)
        elif len(versions) == 1 and len(waiting) >= FEWEST:
            yield _waiting(group, same, waiting)


def _two(group: str, same: Sequence[Judged], old: str, new: str, waiting: Sequence[Judged]) -> Cascade:
    before = [node for node in same if node.marks.driver == old]
    after = [node for node in same if node.marks.driver == new]
    share = _later(before, after)
    going_on = share is not None and share >= ORDER
    summary = (
        message(
            "driver roll-out in progress from {old} to {new}: {n} of {of} nodes have it",
            "驱动正在从 {old} 升级到 {new}：{of} 个节点中 {n} 个已完成",
            old=old,
            new=new,
            n=len(after),
            of=len(same),
        )
        if going_on
        else message(
            "two driver versions in one group: {new} on {n} of {of} nodes, {old} on the others",
            "同一分组中有两个驱动版本：{of} 个节点中 {n} 个为 {new}，其余为 {old}",
            old=old,
            new=new,
            n=len(after),
            of=len(same),
        )
    )
    because = [_order_of_boots(share)]
    if waiting:
        because.append(_pending(len(waiting)))
    return Cascade(
        kind=CascadeKind.ROLL_OUT,
        group=group,
        nodes=named(before if going_on or len(before) < len(after) else after),
        of=len(same),
        certainty=Certainty.LIKELY if going_on else Certainty.POSSIBLE,
        summary=summary,
        because=tuple(because),
    )


def _waiting(group: str, same: Sequence[Judged], waiting: Sequence[Judged]) -> Cascade:
    return Cascade(
        kind=CascadeKind.ROLL_OUT,
        group=group,
        nodes=named(waiting),
        of=len(same),
        certainty=Certainty.LIKELY,
        summary=message(
            "a newer driver is installed on {n} of {of} nodes and not loaded yet: a roll-out that waits for "
            "reboots, not as many broken nodes",
            "{of} 个节点中 {n} 个已安装更新的驱动但尚未加载：是等待重启的升级，而不是这么多故障节点",
            n=len(waiting),
            of=len(same),
        ),
        because=(_pending(len(waiting)),),
    )


def _pending(count: int) -> Message:
    return message(
        "on {n} nodes the libraries on disk are newer than the loaded module",
        "{n} 个节点磁盘上的库比已加载的模块新",
        n=count,
    )


def _order_of_boots(share: float | None) -> Message:
    if share is None:
        return message("when the nodes booted is not known", "不知道各节点的启动时间")
    return message(
        "a node with the newer version booted later than one with the older in {share} of all pairs",
        "在 {share} 的配对中，新版本节点的启动时间晚于旧版本节点",
        share=f"{share:.0%}",
    )


def _later(before: Sequence[Judged], after: Sequence[Judged]) -> float | None:
    """Return in which part of the pairs the node with the newer version booted later; None if unknown."""
    old = sorted(node.marks.uptime for node in before if node.marks.uptime is not None)
    new = [node.marks.uptime for node in after if node.marks.uptime is not None]
    if not old or not new:
        return None
    pairs = sum(len(old) - bisect_right(old, uptime) for uptime in new)
    return pairs / (len(old) * len(new))


def _newer(one: str, other: str) -> bool:
    first, second = _version(one), _version(other)
    return first is not None and second is not None and first > second


def _version(name: str) -> Version | None:
    try:
        return Version(name)
    except InvalidVersion:
        return None


def _common_faults(group: str, members: Sequence[Judged]) -> Iterator[Cascade]:
    answered = [node for node in members if node.state is NodeState.ANSWERED]
    hits: dict[str, list[Judged]] = {}
    for node in answered:
        for fault in dict.fromkeys(one.fault for one in node.findings if one.role is Role.CAUSE):
            hits.setdefault(fault, []).append(node)
    for fault, nodes in hits.items():
        if len(nodes) >= FEWEST and len(nodes) >= NEARLY_ALL * len(answered):
            yield Cascade(
                kind=CascadeKind.COMMON_FAULT,
                group=group,
                nodes=named(nodes),
                of=len(answered),
                certainty=Certainty.LIKELY,
                summary=message(
                    "{fault} on {n} of {of} nodes: mend what they share (image, configuration, package) "
                    "rather than each node",
                    "{of} 个节点中 {n} 个有 {fault}：应修正它们共用的部分（镜像、配置、软件包），"
                    "而不是逐个节点处理",
                    fault=fault,
                    n=len(nodes),
                    of=len(answered),
                ),
            )
