"""Where a report goes: the terminal, a pipe or a file."""

import sys
from typing import TYPE_CHECKING, TextIO

import click

from codeblue.model.diagnosis import Diagnosis
from codeblue.model.section import State
from codeblue.model.snapshot import Snapshot
from codeblue.report import words
from codeblue.state import Pseudonyms

if TYPE_CHECKING:
    from codeblue.report.terminal import Terminal

WIDE = 1000
"""Columns of a report that no terminal wraps."""


class Screen:
    """One run's output, with progress while a person is waiting."""

    def __init__(self, form: str, output: str | None, verbose: bool, salt: str, lang: str) -> None:
        self.form = form
        self.output = output
        self.verbose = verbose
        self.lang = lang
        self.pseudonyms = Pseudonyms(salt)
        self.waiting = form == "terminal" and output is None and sys.stderr.isatty()
        self._progress(words.LOOKING.say(lang))

    def so_far(self, snapshot: Snapshot) -> None:
        """Show the layers that are known while the frameworks are still tried."""
        machine = snapshot.machine
        if not self.waiting or machine is None:
            return
        try:
            tried = machine.torch_trial.state is not State.NOT_ATTEMPTED
        except AttributeError:
            tried = False
        if not tried:
            from codeblue.pipeline import judge

            self._clear()
            self._terminal(sys.stderr).layers(judge(snapshot).barriers[:-1])
            self._progress(words.WAITING.say(self.lang))

    def report(self, diagnosis: Diagnosis) -> None:
        """Print the report, or write it to the file."""
        self._clear()
        if self.form == "terminal" and self.output is None and sys.stdout.isatty():
            self._terminal().show(diagnosis)
            return
        text = self._rendered(diagnosis)
        if self.output is None:
            click.echo(text, nl=False)
            return
        with open(self.output, "w", encoding="utf-8") as stream:
            stream.write(text)

    def _rendered(self, diagnosis: Diagnosis) -> str:
        if self.form == "json":
            from codeblue.report import json_v1

            return json_v1.render(diagnosis, self.lang)
        if self.form == "markdown":
            from codeblue.report import markdown

            return markdown.render(diagnosis, self.lang)
        return self._plain(diagnosis)

    def _plain(self, diagnosis: Diagnosis) -> str:
        """Return the terminal report without colour, one fact a line however long it is."""
        from io import StringIO

        page = StringIO()
        self._terminal(page, WIDE).show(diagnosis)
        return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())

    def _terminal(self, stream: TextIO | None = None, width: int | None = None) -> "Terminal":
        from rich.console import Console

        from codeblue.report.terminal import Terminal

        console = Console(file=stream or sys.stdout, width=width, highlight=False, emoji=False)
        return Terminal(console, self.lang, self.verbose, self.pseudonyms.reveal)

    def _progress(self, text: str) -> None:
        if self.waiting:
            click.echo(text, nl=False, err=True)

    def _clear(self) -> None:
        if self.waiting:
            click.echo("\r\x1b[K", nl=False, err=True)
