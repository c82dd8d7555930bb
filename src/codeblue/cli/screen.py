"""Where a report goes: the terminal, a pipe or a file."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from codeblue.cli.output import write
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.site import Waiver
from codeblue.model.snapshot import Snapshot
from codeblue.state import Pseudonyms

if TYPE_CHECKING:
    from rich.live import Live

    from codeblue.report.terminal import Terminal


class Screen:
    """One run's output, with progress while a person is waiting."""

    def __init__(self, form: str, output: str | None, verbose: bool, salt: str, lang: str) -> None:
        self.form = form
        self.output = output
        self.verbose = verbose
        self.lang = lang
        self.pseudonyms = Pseudonyms(salt)
        self.to_person = form == "terminal" and output is None and sys.stdout.isatty()
        self._live: Live | None = None

    def prepare(self) -> None:
        """Import what judging and drawing need while the probe is at work."""
        from codeblue.pipeline import catalogue

        catalogue()
        if self.form == "terminal":
            import_module("codeblue.report.terminal")

    def so_far(self, snapshot: Snapshot, waivers: Sequence[Waiver]) -> None:
        """Show the layers that are known while the frameworks are still tried."""
        machine = snapshot.machine
        if not self.to_person or machine is None or machine.complete:
            return
        from rich.live import Live

        from codeblue.pipeline import judge

        terminal = self._terminal()
        shown = terminal.so_far(judge(snapshot, waivers))
        self._live = Live(shown, console=terminal.console, transient=True, auto_refresh=False)
        self._live.start(refresh=True)

    def close(self) -> None:
        """Take the progress away, whatever happened."""
        if self._live:
            self._live.stop()
            self._live = None

    def report(self, diagnosis: Diagnosis) -> None:
        """Print the report, or write it to the file."""
        self.close()
        if self.to_person:
            self._terminal().show(diagnosis)
            return
        text = self._rendered(diagnosis)
        if self.output is None:
            click.echo(text, nl=False)
            return
        self._refuse_secrets(diagnosis, self.output)
        write(self.output, text.encode())

    def _refuse_secrets(self, diagnosis: Diagnosis, output: str) -> None:
        from codeblue.report import json_v1
        from codeblue.sources.redaction import Redactor

        Redactor(self.pseudonyms).refuse_secrets(json_v1.document(diagnosis, self.lang), output)

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

        from codeblue.report import plain
        from codeblue.report.terminal import Terminal

        page = StringIO()
        console = plain.Console(page, "utf-8")
        Terminal(console, self.lang, self.verbose, self.pseudonyms.reveal).show(diagnosis)
        return page.getvalue()

    def _terminal(self) -> "Terminal":
        from rich.console import Console

        from codeblue.report.terminal import Terminal

        console = Console(file=sys.stdout, highlight=False, emoji=False)
        return Terminal(console, self.lang, self.verbose, self.pseudonyms.reveal)
