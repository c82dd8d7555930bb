"""A run as Markdown, for a ticket or a wiki."""

from collections.abc import Iterable, Iterator, Sequence

from codeblue.model.fleet import Cascade, Judged, Role, Run, Shared
from codeblue.model.layers import NAMES
from codeblue.model.node_sets import fold
from codeblue.model.oddities import Oddities
from codeblue.model.text import Text
from codeblue.report.escape import markdown
from codeblue.report.fleet import oddities, words
from codeblue.report.fleet.notes import MOST, noted, without_gpu


def render(
    run: Run,
    nodes: Sequence[Judged],
    found: Sequence[Shared],
    lang: str,
    across: Sequence[Cascade] = (),
    odd: Oddities | None = None,
) -> str:
    """Return the report."""
    lines = [
        f"# {words.TITLE.say(lang)}",
        "",
        markdown(f"{run.engine} · {run.id} · {', '.join(run.asked)}"),
        "",
    ]
    kinds: dict[str, list[str]] = {}
    for node in nodes:
        kinds.setdefault(words.kind(node), []).append(node.node)
    rows = ((words.named(kind, lang), str(len(names)), fold(names)) for kind, names in kinds.items())
    lines += _table((words.STATE, words.HOW_MANY, words.NODES), rows, lang)
    if light := without_gpu(nodes):
        lines += ["", markdown(words.LIGHT_NODES.say(lang, nodes=f"{len(light)}: {fold(light)}"))]
    if reasons := _reasons(nodes, lang):
        lines += ["", f"## {words.NOT_ASKED.say(lang)}", ""]
        lines += _table((words.STATE, words.BECAUSE, words.NODES), reasons, lang)
    if across:
        lines += ["", f"## {words.ACROSS.say(lang)}", ""]
        shown = ((one.summary.say(lang), f"{len(one.nodes)}: {fold(one.nodes)}") for one in across)
        lines += _table((words.FOUND, words.NODES), shown, lang)
    titles = ((Role.CAUSE, words.CAUSES), (Role.CONSEQUENCE, words.EFFECTS), (Role.RISK, words.RISKS))
    for role, title in titles:
        chosen = [one for one in found if one.role is role]
        if chosen:
            lines += ["", f"## {title.say(lang)}", ""]
            heads = (words.FAULT, words.LAYER, words.NODES, words.FOUND)
            lines += _table(heads, (_row(one, lang) for one in chosen), lang)
    if odd and odd.found:
        lines += ["", f"## {words.ODD.say(lang)}", ""]
        lines += _table((words.NODES, words.GROUP, words.FOUND), oddities.rows(odd, lang), lang)
    if told := noted(nodes, lang):
        lines += ["", f"## {words.NOTES.say(lang)}", ""]
        lines += _table((words.NODES, words.FOUND), told, lang)
    return "\n".join(lines) + "\n"


def _reasons(nodes: Sequence[Judged], lang: str) -> list[tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for node in nodes:
        if node.why:
            found.setdefault((words.kind(node), node.why), []).append(node.node)
    rows = sorted(found.items(), key=lambda one: -len(one[1]))[:MOST]
    return [(words.named(kind, lang), why, f"{len(names)}: {fold(names)}") for (kind, why), names in rows]


def _row(one: Shared, lang: str) -> tuple[str, ...]:
    layer = NAMES[one.layer].say(lang) if one.layer else ""
    return (one.fault, layer, f"{len(one.nodes)}: {fold(one.nodes)}", one.summary.say(lang))


def _table(heads: Sequence[Text], rows: Iterable[tuple[str, ...]], lang: str) -> Iterator[str]:
    titles = [head.say(lang, n="#") if "{n}" in head.en else head.say(lang) for head in heads]
    yield f"| {' | '.join(titles)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(markdown(cell) for cell in row)} |"
