"""A line that counts replies while a person is waiting."""

import sys
from collections import Counter
from types import TracebackType

import click

from codeblue.cli.language import say
from codeblue.model.fleet import NodeState, Reply


class Progress:
    """Counts replies on standard error, if that is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._counts: Counter[NodeState] = Counter()
        self._shown = sys.stderr.isatty()

    def step(self, reply: Reply) -> None:
        """Count one reply."""
        self._counts[reply.state] += 1
        if self._shown:
            answered = self._counts[NodeState.ANSWERED]
            line = say(
                f"{self._counts.total()} of {self._total} nodes, {answered} answered",
                f"{self._counts.total()}/{self._total} 个节点，{answered} 个已回答",
            )
            click.echo(f"\r\x1b[2K{line}", nl=False, err=True)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            click.echo("\r\x1b[2K", nl=False, err=True)
