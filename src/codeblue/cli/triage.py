"""``codeblue triage``: from error text to the root cause."""

import sys

import click

from codeblue.cli import options
from codeblue.cli.check import FORMATS, exit_code
from codeblue.cli.language import LANG, say


@click.command(
    "triage",
    help=say(
        "Find the root cause in error text and logs. PATH is a file, or - for standard input.",
        "从报错文本和日志中找出根因。PATH 为文件，- 表示标准输入。",
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--facts",
    metavar="FILE",
    help=say(
        "What is known besides: a JSON object with keys such as driver, gpu, torch, cuda, os, container.",
        "已知的其他事实：一个 JSON 对象，键如 driver、gpu、torch、cuda、os、container。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="terminal",
    show_default=True,
    help=say("Form of the report.", "报告形式。"),
)
@click.option(
    "--follow",
    is_flag=True,
    help=say(
        "Tell what a growing log shows as it comes; Ctrl-C ends with the whole report.",
        "随日志增长实时提示；按 Ctrl-C 结束并给出完整报告。",
    ),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the report to a file.", "把报告写入文件。"))
@click.option(
    "-v", "--verbose", is_flag=True, help=say("List everything that was looked at.", "列出查看过的一切。")
)
@options.lang
def command(
    paths: tuple[str, ...], facts: str | None, form: str, follow: bool, output: str | None, verbose: bool
) -> int:
    """Read, judge, report."""
    if not paths and sys.stdin.isatty():
        raise click.UsageError(
            say(
                "give a file, or - and paste the text, ended by Ctrl-D",
                "请给出文件；或用 - 后粘贴文本，以 Ctrl-D 结束",
            )
        )
    if follow:
        from codeblue.cli.following import following

        following(paths)
    from codeblue.cli.screen import Screen
    from codeblue.pipeline import judge, told
    from codeblue.state import salt

    key = salt()
    screen = Screen(form, output, verbose, key, LANG)
    diagnosis = judge(told(paths or ("-",), facts, key))
    screen.report(diagnosis)
    sys.stdout.flush()
    return exit_code(diagnosis.verdict.value, None)
