"""``codeblue snapshot``: what check reads, redacted, in a file that can be judged elsewhere."""

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
@click.option(
    "--report-wrong",
    is_flag=True,
    help=say(
        "Write a bundle that tells us about a wrong verdict (needs --expected).",
        "生成用于反馈误判的文件（需要 --expected）。",
    ),
)
@click.option(
    "--expected",
    metavar="FAULT",
    help=say(
        "What it should have said: a fault, or a sentence of at most 200 characters.",
        "正确结论：故障名，或一句话（最多 200 字）。",
    ),
)
@options.looking
@options.lang
def command(
    target: str,
    output: str | None,
    logs: tuple[str, ...],
    report_wrong: bool,
    expected: str | None,
    as_user: str | None,
    budget: float | None,
    config: str | None,
) -> int:
    """Read and write."""
    if report_wrong != (expected is not None):
        raise click.UsageError(
            say("--report-wrong and --expected go together", "--report-wrong 与 --expected 必须一起使用")
        )
    if expected is not None:
        from codeblue.cli.wrong import checked

        expected = checked(expected)
    from codeblue.cli import site
    from codeblue.sources.launch import launch
    from codeblue.sources.target import parse

    where = parse(target)
    expects = site.load(config)
    look = site.look(expects, as_user, budget, next_boot=True)
    launched = () if where.kind == "file" else launch(where, look)

    # Imported while the probe is at work.
    import msgspec

    from codeblue.pipeline import read
    from codeblue.sources.redaction import Redactor
    from codeblue.state import Pseudonyms

    *_, whole = read(where, launched, logs, look.salt, expects)
    redactor = Redactor(Pseudonyms(look.salt))
    if expected is not None:
        from codeblue.cli.wrong import bundle

        content = bundle(whole, expected, redactor)
    else:
        content = msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
    redactor.refuse_secrets(msgspec.json.decode(content), output or say("snapshot", "快照"))
    _put(output, content)
    if expected is not None:
        click.echo(_where_to(output), err=True)
    elif output is not None:
        click.echo(
            say(
                f"{output}: judge it with codeblue check file:{output}",
                f"{output}：用 codeblue check file:{output} 判断",
            ),
            err=True,
        )
    return 0


def _put(output: str | None, content: bytes) -> None:
    if output is None:
        sys.stdout.buffer.write(content)
    else:
        write(output, content)


def _where_to(output: str | None) -> str:
    name = output or say("this document", "此文档")
    return say(
        f"{name}: read it through, then attach it to an issue of the project",
        f"{name}：请先通读一遍，再作为附件提交到本项目的 issue",
    )
