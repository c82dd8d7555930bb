"""``codeblue diff``: what changed between two snapshots, or since it last worked."""

from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.model.changes import Comparison


@click.command(
    "diff",
    help=say(
        "Show what changed between two snapshot files; with --since-good, between the last check of a "
        "target that found it working and the last check.",
        "显示两个快照文件之间的变化；用 --since-good 时，比较某目标上一次正常的检查与最近一次检查。",
    ),
)
@click.argument("names", nargs=-1, metavar="OLD NEW | [TARGET]")
@click.option(
    "--since-good",
    is_flag=True,
    help=say(
        "What changed since TARGET (default: local) last worked.",
        "TARGET（默认 local）自上次正常以来的变化。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json", "markdown")),
    default="terminal",
    show_default=True,
    help=say("Form of the report.", "报告形式。"),
)
@click.option(
    "--exit-code",
    is_flag=True,
    help=say("Exit with 1 if something changed.", "有变化时以 1 退出。"),
)
@options.lang
def command(names: tuple[str, ...], since_good: bool, form: str, exit_code: bool) -> int:
    """Compare and print."""
    from codeblue.cli import kept
    from codeblue.diagnose.compare import compare
    from codeblue.model.changes import ChangeKind

    if since_good:
        if len(names) > 1:
            raise click.UsageError(say("--since-good takes one TARGET", "--since-good 只接受一个 TARGET"))
        old, new = kept.good_and_last(names[0] if names else "local")
    elif len(names) == 2:
        old, new = kept.from_file(names[0]), kept.from_file(names[1])
    else:
        raise click.UsageError(
            say("give two snapshots, or --since-good", "请给出两个快照，或使用 --since-good")
        )
    comparison = compare(old, new)
    _show(comparison, form)
    changed = any(change.kind is not ChangeKind.NOT_COMPARABLE for change in comparison.changes)
    return 1 if exit_code and changed else 0


def _show(comparison: "Comparison", form: str) -> None:
    from codeblue.report import changes

    if form == "json":
        click.echo(changes.document(comparison, LANG), nl=False)
        return
    if form == "markdown":
        click.echo(changes.page(comparison, LANG), nl=False)
        return
    from codeblue.cli.output import show

    show(changes.lines(comparison, LANG))
