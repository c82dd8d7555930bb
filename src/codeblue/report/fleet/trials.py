"""What the nodes measured, beside each other, and what runs over several nodes have shown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import json

from codeblue.fleet.behind import Peers
from codeblue.fleet.collectives import Run as Ran
from codeblue.fleet.collectives import Told
from codeblue.model.fleet import Run
from codeblue.model.node_sets import fold
from codeblue.model.text import Text
from codeblue.report.escape import line
from codeblue.report.fleet.words import count

Line = tuple[str, str]
MEDIAN = Text(
    "median {median:.4g} {unit} of {count}, worst {worst:.4g}",
    "中位数 {median:.4g} {unit}（共 {count} 个），最差 {worst:.4g}",
)
BEHIND = Text("behind the others", "明显落后")
NOT_TRIED = Text("not tried", "未测试")
RUN = Text("{nodes}: {speed}", "{nodes}：{speed}")
SPEED = Text("{speed:.4g} GB/s", "{speed:.4g} GB/s")
FAILED = Text("failed: {why}", "失败：{why}")
FLOOR = Text("expected at least {floor:.4g} GB/s", "预期至少 {floor:.4g} GB/s")
WELL = Text("all nodes together: as expected", "所有节点一起运行：符合预期")
BAD_NODE = Text("bad with every partner", "与任何节点组合都不正常")
BAD_LINK = Text(
    "bad together, well with others: the link between them", "两者之间的链路不正常，各自与其他节点正常"
)
UNDECIDED = Text(
    "something among these is bad; more nodes or --runs would tell",
    "其中存在问题；增加节点或 --runs 可进一步定位",
)


def measured(rows: Sequence[Peers], lang: str) -> Iterator[Line]:
    """Yield each number with its median, and the nodes that are far behind it."""
    for one in rows:
        head = f"{one.measure.trial} · {one.measure.name.say(lang)}"
        told = MEDIAN.say(lang, median=one.median, unit=one.measure.unit, count=one.count, worst=one.worst)
        yield f"{line(head)}  {line(told)}", ""
        if one.behind:
            names = fold(behind.node for behind in one.behind)
            values = ", ".join(f"{behind.value:.4g}" for behind in one.behind[:5])
            yield f"  {BEHIND.say(lang)}: {line(names)}  ({values})", "bold red"


def not_tried(left: Sequence[tuple[str, str, str]], lang: str) -> Iterator[Line]:
    """Yield what was not tried, with its nodes; ``left`` are node, trial or device, and why."""
    found: dict[tuple[str, str], list[str]] = {}
    for node, what, why in left:
        found.setdefault((what, why), []).append(node)
    for (what, why), nodes in found.items():
        many = count(len(nodes), lang)
        yield f"{NOT_TRIED.say(lang)}: {line(what)}: {many}  {line(fold(nodes))}", "yellow"
        yield f"  {line(why)}", "dim"


def collective(told: Told, lang: str) -> Iterator[Line]:
    """Yield every run, and what they have shown."""
    for one in told.runs:
        yield RUN.say(lang, nodes=line(fold(one.nodes)), speed=_speed(one, lang)), "dim"
    if told.floor is not None:
        yield FLOOR.say(lang, floor=told.floor), "dim"
    if told.found is None:
        yield WELL.say(lang), "bold green"
        return
    for name in told.found.nodes:
        yield f"{line(name)}: {BAD_NODE.say(lang)}", "bold red"
    for first, second in told.found.links:
        yield f"{line(first)} – {line(second)}: {BAD_LINK.say(lang)}", "bold red"
    if told.found.undecided:
        names = fold(told.found.undecided)
        yield (
            f"{line(names)}: {count(len(told.found.undecided), lang)}: {UNDECIDED.say(lang)}",
            "yellow",
        )


def _speed(one: Ran, lang: str) -> str:
    if one.busbw is None:
        return FAILED.say(lang, why=line(one.why))
    return SPEED.say(lang, speed=one.busbw)


def document(
    run: Run,
    rows: Sequence[Peers],
    verdicts: Mapping[str, str],
    left: Sequence[tuple[str, str, str]],
    told: Told | None,
    lang: str,
) -> str:
    """Return the JSON document; ``verdicts`` are those of the nodes by name."""
    content: dict[str, Any] = {
        "schema": "codeblue/fleet-trial/1",
        "run": run.id,
        "engine": run.engine,
        "nodes": dict(verdicts),
        "measures": [_row(one, lang) for one in rows],
        "not_tried": [{"node": node, "what": what, "why": why} for node, what, why in left],
        "collective": told,
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _row(one: Peers, lang: str) -> dict[str, Any]:
    return {
        "trial": one.measure.trial,
        "key": one.measure.key,
        "name": one.measure.name.say(lang),
        "unit": one.measure.unit,
        "ceiling": one.measure.ceiling,
        "nodes": one.nodes,
        "count": one.count,
        "median": one.median,
        "worst": one.worst,
        "behind": one.behind,
    }
