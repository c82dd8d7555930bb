"""``codeblue fleet report``: a kept run, judged again, for people or programs."""

import sys

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.language import LANG, say

ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".json": "json", ".prom": "prometheus"}


@click.command(
    "report",
    help=say(
        "Judge a kept run (default: the last one) and report it; the ending of FILE says how.",
        "重新判断一次已保存的运行（缺省为最近一次）并生成报告；形式由文件后缀决定。",
    ),
)
@click.argument("name", metavar="[RUN]", default="last")
@engines.stored
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json", "markdown", "html", "prometheus", "slurm-reasons")),
    help=say("Form of the report.  [default: by the ending of FILE]", "报告形式。[缺省：按文件后缀]"),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the report to a file.", "把报告写入文件。"))
@click.option("--config", metavar="FILE", help=say("What the site accepts.", "站点的约定。"))
@options.lang
def command(name: str, store: str | None, form: str | None, output: str | None, config: str | None) -> int:
    """Judge and report."""
    from codeblue.cli import site
    from codeblue.cli.fleet.check import exit_code
    from codeblue.cli.fleet.reporting import report

    kept = engines.store_at(store)
    ending = output[output.rfind(".") :].lower() if output and "." in output else ""
    chosen = form or ENDINGS.get(ending, "terminal")
    nodes = report(kept, kept.run(name), site.load(config), chosen, output, LANG)
    sys.stdout.flush()
    return exit_code(nodes)
