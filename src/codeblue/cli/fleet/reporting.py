"""Judge a kept run and hand it to a report."""

import sys
from contextlib import closing
from importlib import import_module
from io import StringIO
from typing import Any

import click

from codeblue.cli.fleet.judging import judged
from codeblue.cli.fleet.kept import complain, opened
from codeblue.cli.output import write
from codeblue.fleet.cascades import cascades
from codeblue.fleet.identity import noted
from codeblue.fleet.oddities import oddities
from codeblue.fleet.shared import shared
from codeblue.fleet.store import Store
from codeblue.model.fleet import Judged, Run
from codeblue.model.oddities import Oddities
from codeblue.sources.site import Loaded
from codeblue.sources.target import Unusable
from codeblue.state import Pseudonyms, salt

FORMS = {
    "json": "json_v1",
    "markdown": "markdown",
    "html": "html",
    "prometheus": "prometheus",
    "slurm-reasons": "slurm_reasons",
}
WHOLE = ("html", "markdown")
"""Forms that also tell who differs from the rest."""
WIDE = 1000
"""Columns of a report that no terminal wraps."""


def report(store: Store, run: Run, accepts: Loaded, form: str, output: str | None, lang: str) -> list[Judged]:
    """Judge the run, print or write the report, and return the verdicts."""
    names = Pseudonyms(salt())
    nodes = noted(judged(store, run, accepts), run, lambda name: names.pseudonym("host", name))
    complain(store)
    found, across = shared(nodes), cascades(nodes)
    if form in FORMS:
        page = import_module(f"codeblue.report.fleet.{FORMS[form]}")
        told: dict[str, Any] = {"across": across} if form in ("json", *WHOLE) else {}
        if form in WHOLE:
            told["odd"] = _odd(store, run, accepts, lang)
        _put(page.render(run, nodes, found, lang, **told), output)
        return nodes
    from rich.console import Console

    from codeblue.report.fleet import terminal

    if output is None and sys.stdout.isatty():
        terminal.show(Console(highlight=False, emoji=False), run, nodes, found, lang, across)
        return nodes
    text = StringIO()
    console = Console(file=text, width=WIDE, highlight=False, emoji=False)
    terminal.show(console, run, nodes, found, lang, across)
    _put("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()), output)
    return nodes


def _odd(store: Store, run: Run, accepts: Loaded, lang: str) -> Oddities | None:
    """Return who differs from the rest; None, with a line on standard error, if that cannot be told."""
    database, [(_, nodes)] = opened(store, [run], accepts)
    with closing(database):
        try:
            return oddities(database, run, nodes)
        except Unusable as why:
            click.echo(why.line.say(lang), err=True)
            return None


def _put(text: str, output: str | None) -> None:
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode())
