"""``codeblue fleet diff``: what changed between two kept runs."""

import click

from codeblue.cli import options
from codeblue.cli.fleet import asked, engines
from codeblue.cli.language import LANG, say


@click.command(
    "diff",
    help=say(
        "Show what changed between two kept runs, and on which nodes.",
        "显示两次已保存的运行之间有哪些变化、发生在哪些节点上。",
    ),
)
@click.argument("old", metavar="RUN1")
@click.argument("new", metavar="[RUN2]", default="last")
@engines.stored
@asked.config
@asked.form("terminal", "json")
@options.lang
def command(old: str, new: str, store: str | None, config: str | None, form: str) -> int:
    """Compare and print."""
    from codeblue.cli import site
    from codeblue.cli.fleet.kept import complain, opened
    from codeblue.cli.output import show
    from codeblue.fleet.changes import changes
    from codeblue.report.fleet import changes as page

    kept = engines.store_at(store)
    runs = [kept.run(old), kept.run(new)]
    if runs[0].id == runs[1].id:
        raise click.UsageError(say("name two different runs", "请指定两次不同的运行"))
    database, [before, after] = opened(kept, runs, site.load(config))
    found = changes(database, before, after)
    database.close()
    complain(kept)
    if form == "json":
        click.echo(page.render(found), nl=False)
    else:
        show(page.lines(found, LANG))
    return 0
