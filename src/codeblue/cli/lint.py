"""``codeblue lint``: the configuration that will break the next run."""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.lint.run import Against
    from codeblue.model.lint import Linted

FORMS = ("terminal", "json", "sarif", "github", "junit")
KNOWN = say(
    "Looks at Kubernetes manifests, Dockerfiles, Compose files, launch scripts, playbooks, CI definitions, "
    "the files of a GPU host, package lists and documents.",
    "检查 Kubernetes 清单、Dockerfile、Compose 文件、启动脚本、playbook、CI 定义、GPU 主机的配置文件、"
    "软件包清单和文档。",
)


@click.command(
    "lint",
    help=say("Find the configuration that will break the next run. ", "找出会让下一次运行失败的配置。")
    + KNOWN,
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--on",
    metavar="TARGET",
    help=say(
        "Judge against this machine too: local, docker:NAME, a snapshot file, ...",
        "同时对照这台机器判断：local、docker:名称、快照文件等。",
    ),
)
@click.option(
    "--pedantic", is_flag=True, help=say("Show what many accept knowingly.", "也显示许多人有意接受的问题。")
)
@click.option(
    "--fix", is_flag=True, help=say("Write the safe fixes into the files.", "把安全的修复写入文件。")
)
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help=say("With --fix or --diff: all fixes.", "与 --fix 或 --diff 同用：全部修复。"),
)
@click.option(
    "--diff",
    is_flag=True,
    help=say("Show the fixes as a diff, write nothing.", "以 diff 显示修复，不写文件。"),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="terminal",
    show_default=True,
    help=say("Form of the report.", "报告形式。"),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the report to a file.", "把报告写入文件。"))
@click.option(
    "--baseline", metavar="FILE", help=say("Accept the findings of this file.", "接受该文件中的问题。")
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    help=say("Write what is found to such a file.", "把发现的问题写成这样的文件。"),
)
@click.option(
    "--fail-on",
    type=click.Choice(("trouble", "risk")),
    help=say("What exit code 1 stands for.  [default: trouble]", "退出码 1 表示什么。[默认：trouble]"),
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    help=say("Processes.  [default: as many as processors]", "进程数。[默认：处理器个数]"),
)
@click.option(
    "--config",
    metavar="FILE",
    help=say("What the site accepts; else codeblue.toml.", "站点的约定；缺省为 codeblue.toml。"),
)
@options.lang
def command(
    paths: tuple[str, ...],
    on: str | None,
    pedantic: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    form: str,
    output: str | None,
    baseline: str | None,
    write_baseline: str | None,
    fail_on: str | None,
    jobs: int | None,
    config: str | None,
) -> int:
    """Judge, fix, report."""
    from codeblue.lint.whole import lint

    against = _against(on, config)

    def looked() -> "Linted":
        found = lint(
            paths or (("." if sys.stdin.isatty() or not _piped() else "-"),),
            against,
            jobs=jobs or os.cpu_count() or 1,
            pedantic=pedantic,
        )
        return accepted(found, against, baseline)

    linted = looked()
    if fix or diff:
        done = _fix(linted, against, unsafe_fixes, diff)
        if diff:
            return code(linted, fail_on)
        linted = looked() if done else linted
    if write_baseline:
        _write_baseline(linted, write_baseline)
        return 0
    show(linted, form, output)
    return code(linted, fail_on)


def _piped() -> bool:
    """Tell whether something is on the standard input."""
    import stat

    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _against(on: str | None, config: str | None) -> "Against":
    from codeblue.faults import index
    from codeblue.lint.run import Against
    from codeblue.sources.site import load

    loaded = load(config, index.entries)
    site = loaded.site if loaded.path else None
    if on is None:
        return Against(site=site)
    from codeblue.cli.matrix.look import looked
    from codeblue.diagnose.engine import assemble

    return Against(machine=assemble(looked(on)), site=site)


def accepted(linted: "Linted", against: "Against", baseline: str | None) -> "Linted":
    """Return the result without what the site's file, or a baseline, accepts."""
    if against.site is not None and against.site.waive:
        from datetime import datetime, timezone

        from codeblue.lint import waivers

        linted = waivers.without(linted, against.site.waive, datetime.now(timezone.utc).date())
    if baseline is None:
        return linted
    from codeblue.lint import baseline as known

    return known.without(linted, known.read(baseline))


def _write_baseline(linted: "Linted", path: str) -> None:
    from codeblue.cli.output import write
    from codeblue.lint import baseline as known

    write(path, known.written(linted.findings))
    count = len(linted.findings)
    click.echo(
        say(f"{path}: {count} findings are accepted from now on", f"{path}：今后接受这 {count} 个问题")
    )


def _fix(linted: "Linted", against: "Against", unsafe: bool, diff: bool) -> bool:
    """Write the fixes, or show them; return whether a file was changed."""
    from codeblue.lint.fixing import fixed, write

    done = False
    for change in fixed(linted.findings, against, unsafe=unsafe):
        why = change.refused
        if diff:
            click.echo(change.diff(), nl=False)
        elif change.after != change.before:
            why = write(change) or why
            done = True
        if why is not None:
            click.echo(f"codeblue: {why.say(LANG)}", err=True)
    return done


def show(linted: "Linted", form: str, output: str | None) -> None:
    """Print the result, or write it to a file."""
    if form == "terminal" and output is None and sys.stdout.isatty():
        from rich.console import Console

        from codeblue.report.lint import terminal

        terminal.show(Console(highlight=False, emoji=False), linted, LANG)
        return
    from codeblue.cli.output import write

    module = import_module(f"codeblue.report.lint.{'text' if form == 'terminal' else form}")
    text: str = module.render(linted, LANG)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode())


def code(linted: "Linted", fail_on: str | None) -> int:
    """Return the exit code."""
    from codeblue.model.fault import Certainty, Kind

    failing = (Kind.TROUBLE, Kind.RISK) if fail_on == "risk" else (Kind.TROUBLE,)
    if any(left.unusable for left in linted.left):
        return 2
    found = (one for one in linted.findings if one.certainty is not Certainty.POSSIBLE)
    return 1 if any(one.kind in failing for one in found) else 0
