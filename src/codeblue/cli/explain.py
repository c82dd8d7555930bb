"""``codeblue explain``: the page of a fault, or why it fired on a snapshot, offline."""

import difflib
import sys

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say


@click.command(
    "explain",
    help=say(
        "Show the page of a fault, or list all faults; with --on, why the fault fired there or did not.",
        "显示某个故障的说明页，或列出全部故障；用 --on 时，说明该故障为何命中或未命中。",
    ),
)
@click.argument("fault", required=False)
@click.option("--list", "listing", is_flag=True, help=say("List all faults.", "列出全部故障。"))
@click.option(
    "--on",
    metavar="SNAPSHOT",
    help=say(
        "A snapshot file, or a live target: its last check.",
        "快照文件，或某个实际目标（取其最近一次检查）。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "markdown", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the output.", "输出形式。"),
)
@options.lang
def command(fault: str | None, listing: bool, on: str | None, form: str) -> int:
    """Print one page, the list, or the reasons on a snapshot."""
    from codeblue.faults import index
    from codeblue.report import pages

    if listing:
        click.echo(pages.listing(list(index.entries().values()), form, LANG), nl=False)
        return 0
    if fault is None:
        raise click.UsageError(say("give a fault, or --list", "请给出故障名，或用 --list"))
    entry = index.entries().get(fault)
    if entry is None:
        raise click.UsageError(unknown(fault, list(index.entries())))
    if on is not None:
        _reasons(fault, on, form)
        return 0
    text = pages.page(entry, index.page(fault, LANG), LANG)
    if form == "json":
        click.echo(pages.page_json(entry, index.page(fault, LANG), LANG), nl=False)
    elif form == "terminal" and sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        click.echo(text, nl=False)
    return 0


def _reasons(fault: str, on: str, form: str) -> None:
    from codeblue.cli.kept import pointed_at
    from codeblue.pipeline import why
    from codeblue.report import reasons

    found = why(fault, pointed_at(on))
    if form == "json":
        click.echo(reasons.document(found, LANG), nl=False)
    elif form == "markdown":
        click.echo(reasons.page(found, LANG), nl=False)
    else:
        from codeblue.cli.output import show

        show(reasons.lines(found, LANG))


def unknown(fault: str, known: list[str]) -> str:
    """Return the line that says that there is no such fault, with the names that are near."""
    near = difflib.get_close_matches(fault, known, n=3)
    hint = say(f"; did you mean {', '.join(near)}?", f"；是否指 {'、'.join(near)}？") if near else ""
    listing = say("codeblue explain --list names all", "codeblue explain --list 列出全部")
    return (
        say(f"no fault named '{fault}'", f"没有名为 '{fault}' 的故障")
        + hint
        + ("" if near else f"; {listing}")
    )
