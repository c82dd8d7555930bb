"""Who differs from the rest, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from msgspec import json

from codeblue.model.node_sets import fold
from codeblue.model.oddities import OddFact, Oddities, Oddity, OddKind
from codeblue.model.text import Text
from codeblue.report.escape import line, value
from codeblue.report.fleet import words

SCHEMA = "codeblue/fleet-oddities/1"
SHOWN = 4
"""Facts of one row; the rest is counted."""
KIND = {
    OddKind.DIFFERS: Text("{value}, most have {common}", "{value}，多数为 {common}"),
    OddKind.MISSING: Text("missing, most have {common}", "缺失，多数为 {common}"),
    OddKind.EXTRA: Text("{value}, most have none", "{value}，多数没有"),
    OddKind.OFF: Text("{value}, the median is {common}", "{value}，中位数为 {common}"),
    OddKind.SPLIT: Text(
        "{value}, as many have {common}: no majority", "{value}，另有同样多的为 {common}：没有多数"
    ),
}
SHARE = Text("{share} of {of}", "{of} 个中的 {share}")
FOUND = Text("found there: {faults}", "这些节点上发现：{faults}")
MORE = Text("and {n} more facts", "另有 {n} 项")
NONE = Text("nobody differs from the rest", "没有与众不同的节点")
ALONE = Text("not compared, fewer than four of a kind: {nodes}", "未比较，同类节点不足四个：{nodes}")
NO_GROUP = Text("no group is large enough to be compared", "没有足够大的分组可供比较")


def render(oddities: Oddities, lang: str) -> str:
    """Return the JSON document; keys and ids are the same in every language."""
    content = {
        "schema": SCHEMA,
        "run": oddities.run,
        "groups": [
            {"name": one.name, "nodes": fold(one.nodes), "count": len(one.nodes)} for one in oddities.groups
        ],
        "oddities": [_document(row, lang) for row in oddities.found],
        "alone": fold(oddities.alone),
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _document(row: Oddity, lang: str) -> dict[str, Any]:
    return {
        "group": row.peers,
        "of": row.of,
        "nodes": fold(row.nodes),
        "count": len(row.nodes),
        "facts": [
            {
                "path": fact.path,
                "kind": fact.kind.value,
                "value": fact.value,
                "common": fact.common,
                "share": fact.share,
                "faults": list(fact.faults),
                "weight": fact.weight,
                "summary": _summary(fact, lang),
            }
            for fact in row.facts
        ],
    }


def lines(oddities: Oddities, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the lines for a terminal, each with its style."""
    for group in oddities.groups:
        yield f"{line(group.name)}: {words.count(len(group.nodes), lang)}", "dim"
    if not oddities.groups:
        yield NO_GROUP.say(lang), "yellow"
    elif not oddities.found:
        yield NONE.say(lang), "green"
    for row in oddities.found:
        yield "", ""
        yield from _lines(row, lang)
    if oddities.alone:
        yield "", ""
        yield ALONE.say(lang, nodes=line(fold(oddities.alone))), "dim"


def rows(oddities: Oddities, lang: str) -> Iterator[tuple[str, ...]]:
    """Yield nodes, their group and in what they differ, for a table."""
    for row in oddities.found:
        told = [f"{fact.path}: {_summary(fact, lang)}" for fact in row.facts[:SHOWN]]
        if len(row.facts) > SHOWN:
            told.append(MORE.say(lang, n=len(row.facts) - SHOWN))
        yield f"{len(row.nodes)}: {fold(row.nodes)}", row.peers, "; ".join(told)


def _lines(row: Oddity, lang: str) -> Iterator[tuple[str, str]]:
    count = words.count(len(row.nodes), lang)
    yield f"{line(fold(row.nodes))}  ({count}, {line(row.peers)})", "bold"
    for fact in row.facts[:SHOWN]:
        share = SHARE.say(lang, share=f"{fact.share:.1%}", of=row.of)
        yield f"  {line(fact.path)}  {_summary(fact, lang)}  ({share})", "yellow"
        if fact.faults:
            yield f"    {FOUND.say(lang, faults=', '.join(fact.faults))}", "dim"
    if len(row.facts) > SHOWN:
        yield f"  {MORE.say(lang, n=len(row.facts) - SHOWN)}", "dim"


def _summary(fact: OddFact, lang: str) -> str:
    shown = {
        key: value(one, 80) or '""'
        for key, one in (("value", fact.value or ""), ("common", fact.common or ""))
    }
    return KIND[fact.kind].say(lang, **shown)
