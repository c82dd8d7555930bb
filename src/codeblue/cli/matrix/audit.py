"""``codeblue matrix audit``: how old and how sure the data are."""

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say


@click.command(
    "audit",
    help=say(
        "Count the rows of every table by confidence and list those that most need a look: the oldest first, "
        "then the least sure.",
        "按可信度统计每个数据表，并列出最需要核对的数据：先旧后新，可信度低的在前。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json", "csv")),
    default="terminal",
    show_default=True,
    help=say("Form of the output.", "输出形式。"),
)
@click.option(
    "--stale",
    metavar="DAYS",
    type=click.IntRange(0),
    help=say(
        "List only rows last compared with their sources more than DAYS days ago; exit with 1 if there "
        "are any.",
        "只列出距上次核对超过 DAYS 天的数据；如有则退出码为 1。",
    ),
)
@click.option(
    "--most",
    metavar="N",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help=say("Rows that a terminal shows; 0 shows all.", "终端最多显示的条数；0 表示全部。"),
)
@options.lang
def command(form: str, stale: int | None, most: int) -> int:
    """Count and list."""
    from datetime import date

    from msgspec.structs import replace

    from codeblue.cli.output import screen
    from codeblue.knowledge.freshness import audit
    from codeblue.report import audit as report

    found = audit(date.today())
    if stale is not None:
        found = replace(found, rows=tuple(row for row in found.rows if row.days > stale))
    if form == "json":
        click.echo(report.document(found), nl=False)
    elif form == "csv":
        click.echo(report.sheet(found.rows), nl=False)
    else:
        with screen() as console:
            report.show(console, found, most, LANG)
    return 1 if stale is not None and found.rows else 0
