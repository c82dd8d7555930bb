"""``codeblue triage --follow``: what a growing log shows, as it comes."""

import os

import click

from codeblue.cli.language import LANG, say


def following(paths: tuple[str, ...]) -> None:
    """Print a line for each sighting of one growing file until the user interrupts.

    Raises UsageError unless one file is given, Unusable if it cannot be opened.
    """
    if len(paths) != 1 or not os.path.isfile(paths[0]):
        raise click.UsageError(say("--follow needs one file", "--follow 需要一个文件"))
    from codeblue.faults import index
    from codeblue.pipeline import signatures
    from codeblue.report.escape import line
    from codeblue.sources.logs import KEEP
    from codeblue.sources.redaction import Redactor
    from codeblue.sources.scan.follow import follow
    from codeblue.state import Pseudonyms, salt

    redactor = Redactor(Pseudonyms(salt()))
    entries = index.entries()
    try:
        for seen in follow(paths[0], signatures()):
            rank = f" rank {seen.rank}" if seen.rank is not None else ""
            title = entries[seen.fault].title.say(LANG)
            click.echo(f"{seen.time or '-'}{rank} {seen.fault}: {title}")
            click.echo(f"    {seen.line}: {line(redactor.text(seen.text[:KEEP]))}")
    except KeyboardInterrupt:
        click.echo()
