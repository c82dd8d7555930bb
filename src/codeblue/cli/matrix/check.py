"""``codeblue matrix check``: will these versions work together?"""

from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say
from codeblue.cli.matrix.asked import combination, versions

if TYPE_CHECKING:
    from codeblue.model.combination import Combination
    from codeblue.model.judgement import Judged
    from codeblue.model.text import Message

CODES = {"compatible": 0, "incompatible": 1, "unknown": 3}


@click.command(
    "check",
    help=say(
        "Judge versions named by options, by files (requirements, pyproject, lock files, conda environments, "
        "Dockerfile, docker inspect, wheel names) and by a target. Exit code 0 compatible, 1 incompatible, "
        "3 unknown.",
        "判断由选项、文件（requirements、pyproject、锁文件、conda 环境、Dockerfile、docker inspect、"
        "wheel 文件名）和目标给出的版本能否配合。退出码：0 兼容，1 不兼容，3 未知。",
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@versions
@click.option(
    "--on",
    metavar="TARGET",
    help=say(
        "Take the rest from this target: local, docker:NAME, a snapshot file, ...",
        "其余信息取自该目标：local、docker:名称、快照文件等。",
    ),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json", "markdown")),
    default="terminal",
    show_default=True,
    help=say("Form of the answer.", "回答的形式。"),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the answer to a file.", "把回答写入文件。"))
@click.option("-v", "--verbose", is_flag=True, help=say("All notes and sources.", "列出全部备注和来源。"))
@options.lang
def command(
    files: tuple[str, ...],
    gpus: tuple[str, ...],
    on: str | None,
    form: str,
    output: str | None,
    verbose: bool,
    **given: str | None,
) -> int:
    """Join what is known, judge it, print the answer."""
    from codeblue.matrix.judge import judge

    named = combination(gpus, **given)
    if not files and on is None and not any(True for _ in named.parts()):
        raise click.UsageError(
            say(
                "name versions (--driver, --gpu, --torch, ...), give a file, or --on local",
                "请给出版本（--driver、--gpu、--torch 等）、文件，或 --on local",
            )
        )
    judged = judge(*_joined(named, files, on))
    _show(judged, form, output, verbose)
    return CODES[judged.verdict.value]


def _joined(
    named: "Combination", files: tuple[str, ...], on: str | None
) -> "tuple[Combination, tuple[Message, ...], tuple[Message, ...]]":
    """Return options over files over the target; a torch named above hides the installed one.

    Beside it, what was taken for granted, and what could not be read.
    """
    from codeblue.model.combination import Combination

    machine, installed = Combination(), Combination()
    if on is not None:
        from codeblue.cli.matrix.look import looked
        from codeblue.matrix.from_snapshot import installed_in, machine_of

        snapshot = looked(on)
        machine, installed = machine_of(snapshot), installed_in(snapshot)
    asked = named
    assumed: tuple[Message, ...] = ()
    hidden: tuple[Message, ...] = ()
    if files:
        asked, assumed, hidden = _from_files(named, machine, files)
    whole = asked.over(machine)
    whole = whole if asked.torch is not None else asked.over(installed.over(machine))
    return whole, assumed, hidden


def _from_files(
    named: "Combination", machine: "Combination", files: tuple[str, ...]
) -> "tuple[Combination, tuple[Message, ...], tuple[Message, ...]]":
    from codeblue.matrix.from_manifest import Contradiction, left_out
    from codeblue.matrix.from_manifest import combination as wanted
    from codeblue.sources.manifests.reading import read
    from codeblue.sources.target import Unusable

    besides = named.over(machine)
    manifest = read(
        files,
        machine=besides.machine.value if besides.machine else "x86_64",
        python=named.python.value if named.python else None,
    )
    try:
        found, assumed = wanted(manifest, besides)
    except Contradiction as error:
        raise Unusable(error.line) from None
    hidden, others = left_out(manifest)
    return named.over(found), (*assumed, *others), tuple(hidden)


def _show(judged: "Judged", form: str, output: str | None, verbose: bool) -> None:
    from codeblue import knowledge
    from codeblue.report import judged as report

    if form == "json":
        text = report.document(judged, knowledge.DATE, LANG)
    elif form == "markdown":
        text = report.page(judged, knowledge.DATE, LANG)
    elif output is None:
        from codeblue.cli.output import show

        show(report.lines(judged, knowledge.DATE, LANG, verbose), fold=True)
        return
    else:
        text = "".join(f"{line}\n" for line, _ in report.lines(judged, knowledge.DATE, LANG, verbose))
    if output is None:
        click.echo(text, nl=False)
        return
    from codeblue.cli.output import write

    write(output, text.encode())
