"""``codeblue fleet runs``: the runs that are kept."""

import click
from msgspec import json

from codeblue.cli import options
from codeblue.cli.fleet import asked, engines
from codeblue.cli.language import say


@click.command("runs", help=say("List the kept runs, the oldest first.", "列出已保存的运行，最早的在前。"))
@engines.stored
@asked.form("terminal", "json")
@options.lang
def command(store: str | None, form: str) -> int:
    """List."""
    from codeblue.report.escape import line

    kept = engines.store_at(store)
    runs = [kept.run(name) for name in kept.runs()]
    if form == "json":
        rows = [
            {
                "run": run.id,
                "engine": run.engine,
                "asked": run.asked,
                "nodes": len(run.nodes),
                "answered": kept.answered(run),
                "codeblue": run.codeblue,
                "data": run.data,
            }
            for run in runs
        ]
        click.echo(json.format(json.encode(rows), indent=2).decode())
        return 0
    for run in runs:
        count = say(
            f"{kept.answered(run)} of {len(run.nodes)} nodes answered",
            f"{len(run.nodes)} 个节点中 {kept.answered(run)} 个已回答",
        )
        click.echo(f"{run.id}  {run.engine}  {line(' '.join(run.asked))}  {count}")
    if not runs:
        click.echo(
            say(f"no run is kept below {kept.files.root}", f"{kept.files.root} 下没有已保存的运行"), err=True
        )
    return 0
