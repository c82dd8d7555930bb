"""``codeblue fleet oddities``: who differs from the rest."""

from contextlib import closing

import click

from codeblue.cli import options
from codeblue.cli.fleet import asked, engines
from codeblue.cli.language import LANG, say


@click.command(
    "oddities",
    help=say(
        "Show which nodes of a kept run (default: the last one) differ from the others of their kind: "
        "driver, firmware, kernel, wheels, limits, links, environment, speeds of trials.",
        "显示一次已保存的运行（缺省为最近一次）中哪些节点与同类节点不同：驱动、固件、内核、wheel、限制、链路、"
        "环境、试验测得的速度。",
    ),
)
@click.argument("name", metavar="[RUN]", default="last")
@engines.stored
@asked.config
@asked.form("terminal", "json")
@options.lang
def command(name: str, store: str | None, config: str | None, form: str) -> int:
    """Compare and print."""
    from codeblue.cli import site
    from codeblue.cli.fleet.kept import complain, opened
    from codeblue.cli.output import show
    from codeblue.fleet.oddities import oddities
    from codeblue.report.fleet import oddities as page

    kept = engines.store_at(store)
    run = kept.run(name)
    database, [(_, nodes)] = opened(kept, [run], site.load(config))
    with closing(database):
        found = oddities(database, run, nodes)
    complain(kept)
    if form == "json":
        click.echo(page.render(found, LANG), nl=False)
    else:
        show(page.lines(found, LANG))
    return 0
