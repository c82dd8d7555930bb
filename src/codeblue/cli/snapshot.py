"""``codeblue snapshot``: what check reads, redacted, in a file that can be judged elsewhere."""

import os
import sys

import click

from codeblue.cli import options
from codeblue.cli.language import say
from codeblue.cli.output import write


@click.command(
    "snapshot",
    help=say(
        "Write what check would read, redacted, to a file. Judge it anywhere: codeblue check file:FILE.",
        "把 check 会读取的内容脱敏后写入文件；可在任何地方判断：codeblue check file:文件。",
    ),
)
@click.argument("target", default="local")
@click.option("-o", "--output", metavar="FILE", help=say("Default is standard output.", "默认写到标准输出。"))
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="FILE",
    help=say("Include this log's matches.", "包含该日志的匹配。"),
)
@options.looking
@options.lang
def command(
    target: str, output: str | None, logs: tuple[str, ...], as_user: str | None, budget: float
) -> int:
    """Read and write."""
    from codeblue.sources.launch import Options, launch
    from codeblue.sources.target import judged_user, parse
    from codeblue.state import salt

    where = parse(target)
    user = judged_user(as_user) if as_user else None
    look = Options(as_user=user, budget=budget, salt=salt(), cwd=os.getcwd())
    launched = () if where.kind == "file" else launch(where, look)

    # Imported while the probe is at work.
    import msgspec

    from codeblue.pipeline import read
    from codeblue.sources.redaction import Redactor
    from codeblue.state import Pseudonyms

    *_, whole = read(where, launched, logs, look.salt)
    content = msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
    gate = Redactor(Pseudonyms(look.salt))
    gate.refuse_secrets(msgspec.json.decode(content), output or say("snapshot", "快照"))
    if output is None:
        sys.stdout.buffer.write(content)
        return 0
    write(output, content)
    click.echo(
        say(
            f"{output}: judge it with codeblue check file:{output}",
            f"{output}：用 codeblue check file:{output} 判断",
        ),
        err=True,
    )
    return 0
