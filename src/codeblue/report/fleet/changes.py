"""What changed between two runs, and the history of one node."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import json, to_builtins

from codeblue.model.fleet import NodeState
from codeblue.model.fleet_changes import Moment, RunChanges
from codeblue.model.node_sets import fold
from codeblue.model.text import Text
from codeblue.report.changes import NONE
from codeblue.report.escape import line, value
from codeblue.report.fleet import words

SCHEMA = "codeblue/fleet-diff/1"
HISTORY = "codeblue/fleet-history/1"
SAME = Text("nothing that is compared has changed", "参与比较的内容没有变化")
REBOOTED = Text("rebooted", "已重启")
NODES = Text("nodes", "节点")
FAULTS = Text("faults", "故障")
FACTS = Text("facts", "事实")
NOT_ASKED = Text("not asked", "未询问")
CAME, GONE = Text("came", "新出现"), Text("gone", "已消失")
NO_HISTORY = Text("no change of {node} is known in {n} runs", "在 {n} 次运行中没有发现 {node} 的变化")


def render(changes: RunChanges) -> str:
    """Return the JSON document."""
    content = to_builtins(changes)
    for rows in (content["states"], content["faults"], content["facts"]):
        for row in rows:
            row["count"], row["nodes"] = len(row["nodes"]), fold(row["nodes"])
    content["rebooted"] = fold(changes.rebooted)
    return json.format(json.encode({"schema": SCHEMA, **content}), indent=2).decode() + "\n"


def lines(changes: RunChanges, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the lines for a terminal, each with its style."""
    yield f"- {changes.old}", "dim"
    yield f"+ {changes.new}", "dim"
    if not (changes.states or changes.faults or changes.facts or changes.rebooted):
        yield SAME.say(lang), "bold"
    yield from _part(
        NODES,
        (_row(f"{_state(s.old, lang)} → {_state(s.new, lang)}", s.nodes, lang) for s in changes.states),
        lang,
    )
    if changes.rebooted:
        yield f"  {_row(REBOOTED.say(lang), changes.rebooted, lang)}", ""
    yield from _part(
        FAULTS,
        (_row(f"{(CAME if f.came else GONE).say(lang)}: {f.fault}", f.nodes, lang) for f in changes.faults),
        lang,
    )
    yield from _part(
        FACTS,
        (_row(f"{line(f.path)}  {_value(f.old)} → {_value(f.new)}", f.nodes, lang) for f in changes.facts),
        lang,
    )


def _part(title: Text, rows: Iterable[str], lang: str) -> Iterator[tuple[str, str]]:
    for number, row in enumerate(rows):
        if number == 0:
            yield "", ""
            yield title.say(lang), "bold"
        yield f"  {row}", ""


def _row(what: str, nodes: Sequence[str], lang: str) -> str:
    return f"{what}  ({words.count(len(nodes), lang)}: {line(fold(nodes))})"


def _state(kind: str | None, lang: str) -> str:
    return words.named(kind, lang) if kind else NOT_ASKED.say(lang)


def _value(fact: str | None) -> str:
    return NONE if fact is None else value(fact, 80) or '""'


def render_history(node: str, moments: Iterable[Moment]) -> str:
    """Return the JSON document of a history."""
    content = {"schema": HISTORY, "node": node, "changes": to_builtins(list(moments))}
    return json.format(json.encode(content), indent=2).decode() + "\n"


def history(node: str, runs: int, moments: Sequence[Moment], lang: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a history, each with its style."""
    if not moments:
        yield NO_HISTORY.say(lang, node=line(node), n=runs), "bold"
    last = None
    for moment in moments:
        if moment.run != last:
            yield moment.run, "bold"
            last = moment.run
        sides = (moment.old, moment.new)
        if moment.path == "state":
            old, new = (_state(one, lang) if one is None or one in _KNOWN else one for one in sides)
        else:
            old, new = map(_value, sides)
        yield f"  {line(moment.path)}  {old} → {new}", ""


_KNOWN = {state.value for state in NodeState}
