"""``codeblue probe``: the probe as one program, for machines that cannot be reached."""

import click

from codeblue.cli import options
from codeblue.cli.language import say


@click.command(
    "probe",
    help=say(
        "Print the probe as one program. Run it there: python3 probe.py > node.json; judge here: "
        "codeblue check file:node.json.",
        "把探针输出为单个程序。在那边 python3 probe.py > node.json，在这边 codeblue check file:node.json。",
    ),
)
@options.lang
def command() -> int:
    """Print the program."""
    from codeblue.sources.probe_text import standalone

    click.echo(standalone(), nl=False)
    return 0
