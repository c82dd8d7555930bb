"""What a run found, for a person at a terminal."""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text as Rich

from codeblue.model.fleet import Cascade, Judged, NodeState, Role, Run, Shared
from codeblue.model.layers import NAMES
from codeblue.model.node_sets import fold
from codeblue.report.escape import line
from codeblue.report.fleet import words
from codeblue.report.fleet.notes import noted, without_gpu
from codeblue.report.words import CERTAINTY

STYLES = {"trouble": "bold red", "unknown": "yellow", "risk": "yellow", "healthy": "green"}


def show(
    console: Console,
    run: Run,
    nodes: Sequence[Judged],
    found: Sequence[Shared],
    lang: str,
    across: Sequence[Cascade] = (),
) -> None:
    """Print the whole report."""
    console.print(Rich(line(f"codeblue fleet · {run.engine} · {words.RUN.say(lang)} {run.id}"), "dim"))
    for part in (_verdicts(nodes, lang), _absent(nodes, lang)):
        console.print(part)
    if across:
        console.print(Rich(f"\n{words.ACROSS.say(lang)}", "bold"))
        for cascade in across:
            console.print(Padding(_cascade(cascade, lang), (0, 0, 0, 2)))
    groups = (
        (words.CAUSES, Role.CAUSE),
        (words.EFFECTS, Role.CONSEQUENCE),
        (words.RISKS, Role.RISK),
    )
    for title, role in groups:
        rows = [one for one in found if one.role is role]
        if rows:
            console.print(Rich(f"\n{title.say(lang)}", "bold"))
            for one in rows:
                console.print(Padding(_shared(one, lang), (0, 0, 0, 2)))
    if told := noted(nodes, lang):
        console.print(Rich(f"\n{words.NOTES.say(lang)}", "bold"))
    for names, text in told:
        console.print(Padding(Rich(line(f"{names}: {text}")), (0, 0, 0, 2)))


def _verdicts(nodes: Sequence[Judged], lang: str) -> RenderableType:
    rows: list[RenderableType] = []
    for verdict, text in words.VERDICTS.items():
        names = [node.node for node in nodes if node.verdict == verdict]
        if names:
            head = Rich(f"{text.say(lang)}: {words.count(len(names), lang)}", STYLES[verdict])
            rows.append(head.append(f"  {line(fold(names))}", "dim") if verdict != "healthy" else head)
    if light := without_gpu(nodes):
        head = Rich(f"{words.WITHOUT_GPU.say(lang)}: {words.count(len(light), lang)}", "dim")
        rows.append(head.append(f"  {line(fold(light))}"))
    return Group(*rows)


def _absent(nodes: Sequence[Judged], lang: str) -> RenderableType:
    rows: list[RenderableType] = []
    for state, text in words.STATES.items():
        silent = [node for node in nodes if node.state is state]
        if state is NodeState.ANSWERED or not silent:
            continue
        head = Rich(f"{text.say(lang)}: {words.count(len(silent), lang)}", "yellow")
        rows.append(head.append(f"  {line(fold(node.node for node in silent))}", "dim"))
        for why, count in Counter(node.why for node in silent if node.why).most_common(3):
            rows.append(Padding(Rich(line(f"{count} × {why}"), "dim"), (0, 0, 0, 2)))
    return Group(*rows)


def _cascade(one: Cascade, lang: str) -> RenderableType:
    head = Rich(line(one.summary.say(lang)), "bold")
    head.append(f"  ({CERTAINTY[one.certainty].say(lang)})", "dim")
    reasons = (Rich(f"- {line(reason.say(lang))}", "dim") for reason in one.because)
    return Group(head, Rich(line(fold(one.nodes))), *reasons)


def _shared(one: Shared, lang: str) -> RenderableType:
    head = Rich(one.fault, "bold")
    layer = NAMES[one.layer].say(lang) if one.layer else ""
    head.append(f"  ({', '.join(filter(None, (layer, words.count(len(one.nodes), lang))))})", "dim")
    return Group(head, Rich(line(fold(one.nodes))), Rich(line(one.summary.say(lang)), "dim"))
