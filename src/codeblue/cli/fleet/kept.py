"""Kept runs as tables, for the verbs that ask about them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from codeblue.cli.fleet.judging import judged
from codeblue.cli.language import say
from codeblue.fleet.store import Store
from codeblue.fleet.tables import tables
from codeblue.model.fleet import Judged, Run
from codeblue.report.escape import line
from codeblue.sources.site import Loaded

if TYPE_CHECKING:
    import duckdb


def opened(
    store: Store, runs: Sequence[Run], site: Loaded
) -> "tuple[duckdb.DuckDBPyConnection, list[tuple[Run, list[Judged]]]]":
    """Return the tables of some runs, and the verdicts on them. Raises Unusable."""
    every = [(run, judged(store, run, site)) for run in runs]
    return tables(store, runs, every), every


def complain(store: Store) -> None:
    """Say on standard error which files of the store cannot be read: what they hold is missing."""
    for name, why in store.damaged.items():
        click.echo(
            say(
                f"{line(name)}: damaged, its contents are left out ({line(why)})",
                f"{line(name)}：已损坏，其内容未计入（{line(why)}）",
            ),
            err=True,
        )
