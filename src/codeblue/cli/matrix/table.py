"""``codeblue matrix table``: the PyTorch table for a wiki."""

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say


@click.command(
    "table",
    help=say(
        "Print every official PyTorch build with its CUDA, cuDNN, NCCL, Python, drivers and GPU "
        "architectures, as one table for a wiki.",
        "输出所有官方 PyTorch 构建及其 CUDA、cuDNN、NCCL、Python、驱动和 GPU 架构的对照表，可直接放入 wiki。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("md", "html", "csv", "json")),
    default="md",
    show_default=True,
    help=say("Form of the table.", "表格形式。"),
)
@click.option(
    "--since",
    metavar="VERSION",
    help=say(
        "Only this PyTorch release and newer ones, e.g. 2.4.", "只列出该 PyTorch 版本及更新版本，如 2.4。"
    ),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the table to a file.", "把表格写入文件。"))
@options.lang
def command(form: str, since: str | None, output: str | None) -> int:
    """Join, format, print."""
    from codeblue.cli.output import write
    from codeblue.knowledge import DATE
    from codeblue.knowledge.lookup.table import pytorch
    from codeblue.report.matrix_table import render

    try:
        grid = pytorch(since)
    except ValueError:
        raise click.UsageError(_refused(since)) from None
    if not grid.rows:
        raise click.UsageError(_refused(since))
    text = render(grid, form, DATE, LANG)
    if output is not None:
        write(output, text.encode())
    else:
        click.echo(text, nl=False)
    return 0


def _refused(since: str | None) -> str:
    from codeblue.report.escape import value

    shown = value(since or "", 40)
    return say(
        f"--since '{shown}': the table has no such or newer PyTorch release",
        f"--since '{shown}'：表中没有该版本或更新的 PyTorch",
    )
