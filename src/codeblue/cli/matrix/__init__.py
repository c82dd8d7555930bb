"""``codeblue matrix``: which versions work together."""

from importlib import import_module

import click

from codeblue.cli.language import say

VERBS = {
    "check": say(
        "Will what is here, or what a file asks for, work together?", "现有的或文件要求的版本能否配合？"
    ),
    "solve": say("Which versions fit this machine", "哪些版本适合这台机器"),
    "show": say("What the tables know of a release, GPU or code", "显示表中某个版本、GPU 或代码的数据"),
    "table": say(
        "PyTorch, CUDA, cuDNN, NCCL and driver as one table", "PyTorch、CUDA、cuDNN、NCCL 与驱动对照表"
    ),
    "audit": say("How old and how sure the data are", "数据的新旧与可信度"),
}


class Verbs(click.Group):
    """Imports a verb only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the work."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the verb's command, or None if there is no such verb."""
        if name not in VERBS:
            return None
        found: click.Command = import_module(f"{__name__}.{name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section(say("Commands", "命令")):
            formatter.write_dl(list(VERBS.items()))


@click.group(
    "matrix",
    cls=Verbs,
    invoke_without_command=True,
    help=say(
        "Will these versions work together, and which ones would?",
        "这些版本能否配合，哪些可以？",
    ),
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Only a group: its verbs do the work."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
