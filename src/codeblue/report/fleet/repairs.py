"""A repair of many nodes, for people and for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import json

from codeblue.model.node_sets import fold
from codeblue.model.rollout import Entry, Event, NodePlan, Outcome, Stop
from codeblue.model.text import Text
from codeblue.report import plans as of_one
from codeblue.report.escape import line
from codeblue.report.fleet.words import count

Line = tuple[str, str]
OUTCOMES = {
    Outcome.FIXED: Text("fixed: the check no longer finds it", "已修复：检查不再发现该故障"),
    Outcome.AWAITING: Text("awaits a reboot", "等待重启"),
    Outcome.NOTHING: Text("nothing to do", "无需改动"),
    Outcome.TAKEN_BACK: Text("taken back", "已撤销"),
    Outcome.FAILED: Text("failed; a part of it may stand", "失败；可能有一部分仍然生效"),
    Outcome.REFUSED: Text("refused, nothing was changed", "被拒绝，未做改动"),
    Outcome.ABSENT: Text(
        "no codeblue there; --remote-codeblue names it", "节点上没有 codeblue；可用 --remote-codeblue 指定"
    ),
    Outcome.SILENT: Text("no answer; it may still be at work", "没有回答；可能仍在执行"),
    Outcome.LEFT_ALONE: Text("not touched", "未触及"),
}
STOPS = {
    Stop.CANARY: Text("stopped: the first node was not fixed", "已停止：首批试点节点未修复"),
    Stop.SHARE: Text("stopped: too many nodes of a batch failed", "已停止：一批中失败的节点过多"),
    Stop.ROW: Text("stopped: too many failures in a row", "已停止：连续失败次数过多"),
}
HEAD = Text("{fault} · run {run}", "{fault} · 运行 {run}")
NONE = Text("no node has it", "没有节点有该故障")
PLAN = Text("plan {digest}, nothing is changed yet", "计划 {digest}，尚未做任何改动")
NEXT = Text("apply it: {command}", "执行：{command}")
NOT_TOUCHED = Text("not touched", "未触及")
AGAIN = Text("go on: {command}", "继续：{command}")
BACK = Text("take it back: {command}", "撤销：{command}")
DRAINED = Text("drained by this run and left so", "由本次执行置为 drain 且尚未恢复")
UNDO_STYLES = {Outcome.TAKEN_BACK: "green", Outcome.NOTHING: "dim"}
STYLES = {
    Outcome.FIXED: "green",
    Outcome.NOTHING: "dim",
    Outcome.AWAITING: "yellow",
    Outcome.LEFT_ALONE: "yellow",
}
Groups = Sequence[tuple[NodePlan, tuple[str, ...]]]


def preview(
    fault: str, run: str, rows: Groups, plans: Sequence[NodePlan], digest: str, lang: str
) -> Iterator[Line]:
    """Yield what would be done: each different plan once, then the nodes without one."""
    yield HEAD.say(lang, fault=fault, run=run), "dim"
    for one, nodes in rows:
        assert one.plan is not None
        yield f"\n{count(len(nodes), lang)}: {line(fold(nodes))}", "bold"
        for item in one.plan.items:
            yield from ((f"  {text}", style) for text, style in of_one.item_lines(item, lang))
    yield from _without(plans, lang)
    if rows:
        yield "", ""
        yield PLAN.say(lang, digest=digest), "dim"
    else:
        yield NONE.say(lang), "bold"


def _without(plans: Sequence[NodePlan], lang: str) -> Iterator[Line]:
    yield from summed([(one.node, one.outcome, one.why) for one in plans if one.outcome], lang)


def summed(rows: Sequence[tuple[str, Outcome | None, str]], lang: str) -> Iterator[Line]:
    """Yield the nodes by what became of them, and by the reason."""
    found: dict[tuple[Outcome, str], list[str]] = {}
    for node, outcome, why in rows:
        found.setdefault((outcome or Outcome.SILENT, line(why)), []).append(node)
    for (outcome, why), nodes in found.items():
        style = STYLES.get(outcome, "bold red")
        yield f"{OUTCOMES[outcome].say(lang)}: {count(len(nodes), lang)}  {line(fold(nodes))}", style
        if why and outcome is not Outcome.NOTHING:
            yield f"  {why}", "dim"


def came_of(entries: dict[str, Entry], left: Sequence[str], stop: Stop | None, lang: str) -> Iterator[Line]:
    """Yield what became of all nodes of a repair."""
    yield from summed([(name, one.outcome, one.why) for name, one in entries.items()], lang)
    if stop:
        yield STOPS[stop].say(lang), "bold red"
    if left:
        yield f"{NOT_TOUCHED.say(lang)}: {count(len(left), lang)}  {line(fold(left))}", "yellow"
    drained = [name for name, one in entries.items() if one.drained]
    if drained:
        yield f"{DRAINED.say(lang)}: {line(fold(drained))}", "yellow"


def document(
    fault: str,
    run: str,
    rows: Groups,
    plans: Sequence[NodePlan],
    digest: str,
    entries: Sequence[Entry],
    lang: str,
) -> str:
    """Return the JSON document of a preview, or of a repair."""
    stops = [entry.stop for entry in entries if entry.event in (Event.STOPPED, Event.END)]
    content: dict[str, Any] = {
        "schema": "codeblue/fleet-fix/1",
        "run": run,
        "fault": fault,
        "digest": digest,
        "groups": [
            {
                "nodes": nodes,
                "items": [of_one.item_row(item, lang) for item in one.plan.items] if one.plan else [],
            }
            for one, nodes in rows
        ],
        "without": [
            {"node": one.node, "outcome": one.outcome, "why": one.why} for one in plans if one.outcome
        ],
        "journal": list(entries),
        "stopped": stops[-1] if stops else None,
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"
