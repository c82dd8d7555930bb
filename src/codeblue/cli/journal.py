"""``codeblue journal``: what was changed, when, by whom, why, and what came of it."""

from datetime import date

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say


@click.command(
    "journal",
    help=say(
        "Show what codeblue has changed here: when, by whom, why, whether it helped, what was taken back.",
        "显示 codeblue 在此做过的改动：时间、执行者、原因、是否有效、是否已撤销。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the output.", "输出形式。"),
)
@options.lang
def command(form: str) -> int:
    """Print the journal; lines that cannot be read are named. Exit code 3 if there are any."""
    from codeblue.cli.output import show
    from codeblue.cli.refusals import refusals
    from codeblue.remedy import store
    from codeblue.remedy.journal import Journal
    from codeblue.report import plans

    with refusals():
        journal = Journal(store.directory())
        records, damaged = journal.records(), journal.damaged()
        at_work = {run.name: program for run in journal.runs() if (program := run.at_work())}
    if form == "json":
        click.echo(plans.journal_document(records, LANG), nl=False)
    else:
        show(plans.journal_lines(records, at_work, date.today().isoformat(), LANG))
    if damaged:
        numbers = ", ".join(map(str, damaged[:10]))
        click.echo(
            say(
                f"codeblue: lines {numbers} of the journal were changed or cut short",
                f"codeblue: 操作日志第 {numbers} 行被改动或不完整",
            ),
            err=True,
        )
    return 3 if damaged else 0
