"""The table of a trial for a person at a terminal."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Rich

from codeblue.model.measure import Measure
from codeblue.model.text import Text
from codeblue.report.escape import line
from codeblue.report.trial.rows import TRIALS, Row, row

NARROW = 70
"""Columns below which the rows are told one below the other."""
RUNNING = Text("running: {trial} …", "正在测量：{trial} …")


def table(
    measures: Sequence[Measure], lang: str, pictures: Mapping[str, RenderableType] | None = None
) -> RenderableType:
    """Return all measures, one block a trial; a picture of a trial stands in place of its rows."""
    blocks: list[RenderableType] = []
    for trial, group in groupby(measures, key=lambda measure: measure.trial):
        blocks.append(Rich(TRIALS[trial].say(lang), "bold"))
        drawn = (pictures or {}).get(trial)
        blocks.append(Padding(drawn or _Rows(tuple(group), lang), (0, 0, 0, 2)))
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


class _Rows(Struct, frozen=True):
    """The measures of one trial: in columns, or one below the other where these would be cut."""

    measures: tuple[Measure, ...]
    lang: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= NARROW:
            yield _grid(self.measures, self.lang)
            return
        for measure in self.measures:
            told = row(measure, self.lang)
            yield Rich(line(f"{told.subject}  {told.name}  {told.value}"))
            if told.share or told.note:
                yield Padding(Rich(_aside(told), "dim"), (0, 0, 0, 2))


def _aside(told: Row) -> str:
    return line(" ".join(filter(None, (told.share, told.note))))


def _grid(measures: Sequence[Measure], lang: str) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    for measure in measures:
        told = row(measure, lang)
        grid.add_row(line(told.subject), line(told.name), told.value, Rich(_aside(told), "dim"))
    return grid


def left(what: Mapping[str, str], title: str) -> RenderableType:
    """Return what was not tried, and why."""
    rows = [Rich(line(f"  {name}: {why}"), "yellow") for name, why in what.items()]
    return Group(Rich(title, "bold"), *(Padding(one, (0, 0, 0, 2)) for one in rows))
