"""Groups of verbs that are imported only when they are asked for: ``--help`` must not wait."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from codeblue.cli.language import say


class LazyGroup(click.Group):
    """Takes ``verbs``, what each does by its name, and the ``package`` that has a module for each."""

    def __init__(self, *args: Any, verbs: Mapping[str, str], package: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._verbs = verbs
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the work."""
        return list(self._verbs)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the verb's command, or None if there is no such verb."""
        if name not in self._verbs:
            return None
        command: click.Command = import_module(f"{self._package}.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section(say("Commands", "命令")):
            formatter.write_dl(list(self._verbs.items()))
