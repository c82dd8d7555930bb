"""``codeblue check``: from a machine to the broken layer and the root cause."""

import sys

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

FORMATS = ("terminal", "json", "markdown")


@click.command(
    "check",
    help=say(
        "Find the broken layer and its root cause. TARGET is local (default), python:PATH, pid:N, "
        "docker:NAME, podman:NAME, pod:NS/POD[/CONTAINER], ssh:HOST, slurm:NODE, chroot:DIR or "
        "file:SNAPSHOT.",
        "找出出问题的层和根因。TARGET 为 local（默认）、python:路径、pid:N、docker:名称、podman:名称、"
        "pod:命名空间/POD[/容器]、ssh:主机、slurm:节点、chroot:目录 或 file:快照。",
    ),
)
@click.argument("target", default="local")
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="FILE",
    help=say(
        "Judge this log together with the machine: a file, also packed, a folder, or - for the standard "
        "input; may be repeated.",
        "与机器一起判断的日志：文件（可压缩）、目录，或 - 表示标准输入；可重复。",
    ),
)
@options.looking
@click.option(
    "--fast",
    is_flag=True,
    help=say("Do not run torch: layers up to the libraries.", "不运行 torch：只到库这一层。"),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="terminal",
    show_default=True,
    help=say("Form of the report.", "报告形式。"),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the report to a file.", "把报告写入文件。"))
@click.option(
    "-v", "--verbose", is_flag=True, help=say("List everything that was looked at.", "列出查看过的一切。")
)
@click.option(
    "--fail-on",
    type=click.Choice(("trouble", "risk")),
    show_default="trouble",
    help=say("What exit code 1 stands for.", "退出码 1 的含义。"),
)
@click.option(
    "--next-boot",
    is_flag=True,
    help=say(
        "Also answer: will it come back after a reboot? Exit code 1 if not.",
        "同时回答：重启之后能否恢复？不能则退出码为 1。",
    ),
)
@options.lang
def command(
    target: str,
    logs: tuple[str, ...],
    as_user: str | None,
    budget: float | None,
    config: str | None,
    fast: bool,
    form: str,
    output: str | None,
    verbose: bool,
    fail_on: str | None,
    next_boot: bool,
) -> int:
    """Read, judge, report."""
    from codeblue.cli import site
    from codeblue.sources.launch import launch
    from codeblue.sources.target import parse
    from codeblue.state import remember, remember_good

    where = parse(target)
    accepts = site.load(config)
    look = site.look(accepts, as_user, budget, "libraries" if fast else "frameworks", next_boot)
    launched = () if where.kind == "file" else launch(where, look)

    # Imported while the probe is at work.
    from msgspec import json

    from codeblue.cli.kept import since_good
    from codeblue.cli.reminders import reminded
    from codeblue.cli.screen import Screen
    from codeblue.pipeline import judge, read

    screen = Screen(form, output, verbose, look.salt, LANG)
    screen.prepare()
    snapshot = None
    try:
        for snapshot in read(where, launched, logs, look.salt, accepts):
            screen.so_far(snapshot, accepts.site.waive)
    finally:
        screen.close()
    assert snapshot is not None
    diagnosis = judge(snapshot, accepts.site.waive, next_boot=next_boot)
    if where.kind != "file":
        diagnosis = since_good(snapshot, diagnosis)
    if where.kind in ("local", "python"):
        diagnosis = reminded(diagnosis)
    screen.report(diagnosis)
    if where.kind != "file":
        encoded = json.encode(snapshot)
        remember(snapshot.target, encoded)
        if diagnosis.verdict.value in ("healthy", "risk"):
            remember_good(snapshot.target, encoded)
    sys.stdout.flush()
    then = diagnosis.after_boot
    asked = fail_on or accepts.site.check.fail_on
    return exit_code(diagnosis.verdict.value, asked, then.answer.value if then else "yes")


def exit_code(verdict: str, fail_on: str | None, comes_back: str = "yes") -> int:
    """Return the exit code for a verdict and for the answer about the next boot (docs/exit-codes.md)."""
    if verdict == "trouble" or (verdict == "risk" and fail_on == "risk") or comes_back == "no":
        return 1
    return 3 if "unknown" in (verdict, comes_back) else 0
