"""``codeblue matrix``: which versions work together."""

import click

from codeblue.cli.language import say
from codeblue.cli.lazy import LazyGroup

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


@click.group(
    "matrix",
    cls=LazyGroup,
    verbs=VERBS,
    package=__name__,
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
