"""``codeblue fleet undo``: take back what ``fleet fix`` has changed on the nodes of a run."""

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.fleet.repairing import remote, undo
from codeblue.cli.language import say


@click.command(
    "undo",
    help=say(
        "Let the nodes of a run take back what fleet fix has changed there; FAULT limits it to one repair.",
        "让某次运行的节点撤销 fleet fix 所做的改动；FAULT 只撤销其中一项修复。",
    ),
)
@click.argument("name", metavar="RUN")
@click.argument("fault", required=False)
@engines.chosen
@remote
@engines.stored
@options.lang
def command(
    name: str,
    fault: str | None,
    chosen: engines.Chosen,
    remote_codeblue: str | None,
    seconds: float,
    store: str | None,
) -> int:
    """Take back node by node."""
    return undo(engines.store_at(store), name, fault, chosen, remote_codeblue, seconds)
