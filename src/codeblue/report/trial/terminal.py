"""The table of a trial for a person at a terminal."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Rich

from codeblue.model.measure import Measure
from codeblue.model.text import Text
from codeblue.report.escape import line
from codeblue.report.trial.rows import TRIALS, row

RUNNING = Text("running: {trial} …", "正在测量：{trial} …")


def table(
    measures: Sequence[Measure], lang: str, pictures: Mapping[str, RenderableType] | None = None
) -> RenderableType:
    """Return all measures, one block a trial; a picture of a trial stands in place of its rows."""
    blocks: list[RenderableType] = []
    for trial, group in groupby(measures, key=lambda measure: measure.trial):
        blocks.append(Rich(TRIALS[trial].say(lang), "bold"))
        drawn = (pictures or {}).get(trial)
        blocks.append(Padding(drawn or _grid(list(group), lang), (0, 0, 0, 2)))
    return Group(*blocks)


def so_far(
    measures: Sequence[Measure],
    running: str | None,
    lang: str,
    pictures: Mapping[str, RenderableType] | None = None,
) -> RenderableType:
    """Return the measures that are there, and what is being measured now."""
    rows: list[RenderableType] = [table(measures, lang, pictures)]
    if running:
        rows.append(Rich(RUNNING.say(lang, trial=TRIALS[running].say(lang)), "dim"))
    return Group(*rows)


def _grid(measures: Sequence[Measure], lang: str) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    for measure in measures:
        told = row(measure, lang)
        aside = line(" ".join(filter(None, (told.share, told.note))))
        grid.add_row(line(told.subject), line(told.name), told.value, Rich(aside, "dim"))
    return grid


def left(what: Mapping[str, str], title: str) -> RenderableType:
    """Return what was not tried, and why."""
    rows = [Rich(line(f"  {name}: {why}"), "yellow") for name, why in what.items()]
    return Group(Rich(title, "bold"), *(Padding(one, (0, 0, 0, 2)) for one in rows))
