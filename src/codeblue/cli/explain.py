"""``codeblue explain``: the page of a fault, offline."""

import difflib
import sys

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say


@click.command(
    "explain",
    help=say("Show the page of a fault, or list all faults.", "显示某个故障的说明页，或列出全部故障。"),
)
@click.argument("fault", required=False)
@click.option("--list", "listing", is_flag=True, help=say("List all faults.", "列出全部故障。"))
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "markdown", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the output.", "输出形式。"),
)
@options.lang
def command(fault: str | None, listing: bool, form: str) -> int:
    """Print one page or the list."""
    from codeblue.faults import index
    from codeblue.report import pages

    if listing:
        click.echo(pages.listing(list(index.entries().values()), form, LANG), nl=False)
        return 0
    if fault is None:
        raise click.UsageError(say("give a fault, or --list", "请给出故障名，或用 --list"))
    entry = index.entries().get(fault)
    if entry is None:
        raise click.UsageError(_unknown(fault, list(index.entries())))
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


def _unknown(fault: str, known: list[str]) -> str:
    near = difflib.get_close_matches(fault, known, n=3)
    hint = say(f"; did you mean {', '.join(near)}?", f"；是否指 {'、'.join(near)}？") if near else ""
    listing = say("codeblue explain --list names all", "codeblue explain --list 列出全部")
    return (
        say(f"no fault named '{fault}'", f"没有名为 '{fault}' 的故障")
        + hint
        + ("" if near else f"; {listing}")
    )
