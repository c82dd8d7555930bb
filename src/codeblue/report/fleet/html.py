"""A run as one HTML page that needs nothing else: no network, no server, no other file."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import json

from codeblue.model.fleet import Cascade, Judged, Role, Run, Shared
from codeblue.model.layers import NAMES
from codeblue.model.node_sets import fold
from codeblue.model.oddities import Oddities
from codeblue.model.text import Text
from codeblue.report.escape import line
from codeblue.report.fleet import oddities, page_data, words
from codeblue.report.fleet.notes import noted, without_gpu

FOLDER = Path(__file__).parent
MOST_ROWS = 100
"""Rows of oddities, of groups and of what nodes have in common; other reports have all."""
FOLDED = 120
"""Characters of a set of nodes in a table; the list below has all of them."""

PAGE = """\
<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<div class="dim">{about}</div>
<div class="tiles">{tiles}</div>
{light}
{sections}
<h2>{nodes}</h2>
<input id="search" type="search" placeholder="{search}" aria-label="{search}">
<div id="detail" aria-live="polite"></div>
<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody id="nodes"></tbody></table></div>
<p class="dim" id="more"></p>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def render(
    run: Run,
    nodes: Sequence[Judged],
    found: Sequence[Shared],
    lang: str,
    across: Sequence[Cascade] = (),
    odd: Oddities | None = None,
) -> str:
    """Return the page."""
    style, script = _file("page.css"), _file("page.js")
    kinds = [kind for kind, _ in _counted(nodes)]
    heads = (words.NODE, words.GROUP, words.STATE, words.FOUND)
    return PAGE.format(
        lang="zh-CN" if lang == "zh" else "en",
        policy=f"default-src 'none'; style-src {_allowed(style)}; script-src {_allowed(script)}",
        title=_text(f"{words.TITLE.say(lang)} · {run.engine}"),
        style=style,
        about=_text(f"codeblue {run.codeblue} · {words.RUN.say(lang)} {run.id} · {', '.join(run.asked)}"),
        tiles="".join(_tiles(nodes, lang)),
        light=_light(nodes, lang),
        sections="".join(
            (*_across(across, lang), *_sections(found, lang), *_odd(odd, lang), *_notes(nodes, lang))
        )
        + _groups(nodes, lang),
        nodes=_text(words.NODES.say(lang)),
        search=_text(words.SEARCH.say(lang)),
        heads="".join(f"<th>{_text(head.say(lang))}</th>" for head in heads),
        data=_script_data(page_data.data(nodes, kinds, lang)),
        script=script,
    )


def _counted(nodes: Sequence[Judged]) -> list[tuple[str, int]]:
    counts = Counter(words.kind(node) for node in nodes)
    order = [*words.VERDICTS, *(state.value for state in words.STATES)]
    return [(kind, counts[kind]) for kind in order if counts[kind]]


def _tiles(nodes: Sequence[Judged], lang: str) -> Iterator[str]:
    for number, (kind, count) in enumerate(_counted(nodes)):
        style = words.STYLES.get(kind, "warn")
        name = _text(words.named(kind, lang))
        yield (
            f'<button class="{style}" data-kind="{number}" aria-pressed="false"><b>{count}</b>{name}</button>'
        )


def _sections(found: Sequence[Shared], lang: str) -> Iterator[str]:
    titles = ((Role.CAUSE, words.CAUSES), (Role.CONSEQUENCE, words.EFFECTS), (Role.RISK, words.RISKS))
    for role, title in titles:
        rows = [_shared(one, lang) for one in found if one.role is role]
        if rows:
            yield table(title, (words.FAULT, words.LAYER, words.NODES, words.FOUND), rows, lang)


def _across(across: Sequence[Cascade], lang: str) -> Iterator[str]:
    rows = [
        (one.summary.say(lang), _folded(one.nodes), "; ".join(why.say(lang) for why in one.because))
        for one in across[:MOST_ROWS]
    ]
    if rows:
        yield table(words.ACROSS, (words.FOUND, words.NODES, words.BECAUSE), rows, lang)


def _odd(odd: Oddities | None, lang: str) -> Iterator[str]:
    rows = [(_short(nodes), *rest) for nodes, *rest in oddities.rows(odd, lang)] if odd else []
    if rows:
        yield table(words.ODD, (words.NODES, words.GROUP, words.FOUND), rows[:MOST_ROWS], lang)


def _notes(nodes: Sequence[Judged], lang: str) -> Iterator[str]:
    if rows := [(_short(names), text) for names, text in noted(nodes, lang)]:
        yield table(words.NOTES, (words.NODES, words.FOUND), rows, lang)


def _light(nodes: Sequence[Judged], lang: str) -> str:
    light = without_gpu(nodes)
    told = words.LIGHT_NODES.say(lang, nodes=_folded(light))
    return f'<p class="dim">{_text(told)}</p>' if light else ""


def _folded(nodes: Sequence[str]) -> str:
    return f"{len(nodes)}: {_short(fold(nodes))}"


def _shared(one: Shared, lang: str) -> tuple[str, ...]:
    layer = NAMES[one.layer].say(lang) if one.layer else ""
    return (one.fault, layer, _folded(one.nodes), one.summary.say(lang))


def _groups(nodes: Sequence[Judged], lang: str) -> str:
    groups: dict[str, list[Judged]] = {}
    for node in nodes:
        groups.setdefault(node.group, []).append(node)
    if set(groups) == {""}:
        return ""
    rows = []
    for name, members in islice(groups.items(), MOST_ROWS):
        counts = ", ".join(f"{count} {words.named(kind, lang)}" for kind, count in _counted(members))
        rows.append((name or words.NO_GROUP.say(lang), counts, _short(fold(node.node for node in members))))
    return table(words.GROUPS, (words.GROUP, words.STATE, words.NODES), rows, lang)


def table(title: Text, heads: Sequence[Text], rows: Sequence[Sequence[str]], lang: str) -> str:
    """Return a titled table of plain texts."""
    head = "".join(f"<th>{_text(one.say(lang))}</th>" for one in heads)
    body = "".join(
        "<tr>" + "".join(f'<td class="{_kind(cell)}">{_text(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return (
        f"<h2>{_text(title.say(lang))}</h2>"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _kind(cell: str) -> str:
    """Return how a cell may be broken: sets of nodes anywhere, names nowhere, sentences between words."""
    if "[" in cell:
        return "names"
    return "text" if " " in cell else "name"


def _short(text: str) -> str:
    return text if len(text) <= FOLDED else text[: FOLDED - 1] + "…"


def _script_data(data: dict[str, Any]) -> str:
    """Return JSON that cannot end the element that it stands in."""
    return json.encode(data).decode().replace("<", "\\u003c")


def _allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(text: str) -> str:
    return escape(line(text))


@cache
def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
