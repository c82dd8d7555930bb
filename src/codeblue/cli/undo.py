"""``codeblue undo``: take back what ``fix`` has changed."""

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say


@click.command(
    "undo",
    help=say(
        "Take the last change back, or the one named by its run or fault (codeblue journal lists them).",
        "撤销最近一次改动，或由 RUN 或故障名指定的改动（codeblue journal 可列出）。",
    ),
)
@click.argument("wanted", required=False, metavar="[RUN|FAULT]")
@options.lang
def command(wanted: str | None) -> int:
    """Take the steps back, the last first; say for each whether that was possible."""
    from codeblue.cli.applying import bench
    from codeblue.cli.output import show
    from codeblue.cli.refusals import refusals
    from codeblue.remedy import retention
    from codeblue.remedy.executor import undoable
    from codeblue.report import plans

    with refusals(), bench() as (journal, executor, kept):
        run = undoable(journal.runs(), wanted)
        told = executor.undo(run)
        show(plans.undone_lines(run.begin.fault, told, LANG))
        # For how long others are kept is the site's word, and undo works without it.
        retention.tidy(journal, kept)
        return 1 if any(why is not None for _, why in told) else 0
