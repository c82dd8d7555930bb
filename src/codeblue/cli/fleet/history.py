"""``codeblue fleet history``: when a node changed."""

import click

from codeblue.cli import options
from codeblue.cli.fleet import asked, engines
from codeblue.cli.language import LANG, say


@click.command(
    "history",
    help=say(
        "Show in which run a node was first seen changed; FACT is the beginning of a path, such as "
        "driver.module_version.",
        "显示节点的变化最早出现在哪次运行；FACT 为路径的开头，例如 driver.module_version。",
    ),
)
@click.argument("node")
@click.argument("fact", default="")
@engines.stored
@asked.form("terminal", "json")
@options.lang
def command(node: str, fact: str, store: str | None, form: str) -> int:
    """Ask all runs and print."""
    from codeblue.cli.fleet.kept import complain
    from codeblue.cli.output import show
    from codeblue.fleet.changes import history
    from codeblue.fleet.tables import tables
    from codeblue.model.text import message
    from codeblue.report.fleet import changes as page
    from codeblue.sources.target import Unusable

    kept = engines.store_at(store)
    runs = [kept.run(name) for name in kept.runs()]
    database = tables(kept, runs)
    if not database.execute("select 1 from nodes where node = $1 limit 1", [node]).fetchall():
        raise Unusable(
            message("{node}: no kept run knows this node", "{node}：已保存的运行中没有这个节点", node=node)
        )
    found = list(history(database, [run.id for run in runs], node, fact))
    database.close()
    complain(kept)
    if form == "json":
        click.echo(page.render_history(node, found), nl=False)
    else:
        show(page.history(node, len(runs), found, LANG))
    return 0
