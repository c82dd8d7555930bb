"""``codeblue matrix solve``: which versions would work together, and how to install them?"""

from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say
from codeblue.cli.matrix.asked import combination, versions

if TYPE_CHECKING:
    from codeblue.model.combination import Combination
    from codeblue.model.solution import Solutions, Wish

KEPT = (
    "driver", "python", "torch", "torchvision", "torchaudio", "tensorrt", "triton", "cudnn", "nccl", "compat"
)  # fmt: skip
FIXED = frozenset({"gpu", "glibc", "machine", "cuda", "nvcc", "toolkit", "require_cuda", "kernel_modules"})
"""What never changes: it may be named by --keep, which then says nothing new."""
FORMS = ("pip", "uv", "conda", "pixi", "dockerfile", "requirements")


@click.command(
    "solve",
    help=say(
        "Find versions that work together with the least change to what the options and --on name, and the "
        "lines that install them. Exit code 0 found, 1 none, or what is wanted does not exist.",
        "找出能配合使用的版本，对选项和 --on 给出的现状改动最小，并给出安装命令。退出码：0 找到，1 没有，"
        "或所要的版本不存在。",
    ),
)
@versions
@click.option(
    "--want",
    multiple=True,
    metavar="PACKAGE[,PACKAGE]",
    help=say(
        "What the set must hold: torch, torchvision, torchaudio, tensorrt, python; also with versions, as "
        "'torch>=2.8,<2.10', torch==2.7.1+cu126 or cu126.",
        "组合中必须有的包：torch、torchvision、torchaudio、tensorrt、python；可带版本，如 "
        "'torch>=2.8,<2.10'、torch==2.7.1+cu126 或 cu126。",
    ),
)
@click.option(
    "--keep",
    multiple=True,
    metavar="PART[,PART]",
    help=say("Parts that must stay as they are, as driver,python.", "必须保持不变的部分，如 driver,python。"),
)
@click.option(
    "--on",
    metavar="TARGET",
    help=say(
        "Take what is there from this target: local, docker:NAME, a snapshot file, ...",
        "现状取自该目标：local、docker:名称、快照文件等。",
    ),
)
@click.option(
    "--best",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    help=say("How many sets to show at most.", "最多显示几个组合。"),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the answer.", "回答的形式。"),
)
@click.option(
    "--as",
    "written",
    type=click.Choice(FORMS),
    help=say("Write the best set for this installer instead.", "改为输出最佳组合的安装文件或命令。"),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the answer to a file.", "把回答写入文件。"))
@options.lang
def command(
    gpus: tuple[str, ...],
    want: tuple[str, ...],
    keep: tuple[str, ...],
    on: str | None,
    best: int,
    form: str,
    written: str | None,
    output: str | None,
    **given: str | None,
) -> int:
    """Learn what is there and what is wanted, search, print the sets."""
    from codeblue.matrix.solve.search import solve

    wished = _wishes(want)
    have = _have(combination(gpus, **given), on)
    if not wished and not any((have.torch, have.torchvision, have.torchaudio, have.tensorrt)):
        raise click.UsageError(
            say(
                "say what is wanted, as --want torch,torchvision, or what is there (--torch, --on local)",
                "请用 --want 给出所需的包，如 --want torch,torchvision；或给出现状（--torch、--on local）",
            )
        )
    found = solve(have, wished, _kept(keep, have), best)
    met = bool(found.best) and not found.missing
    if written is not None and met:
        _write(found, written, output)
    else:
        _show(found, form, output, to_person=written is None)
    return 0 if met else 1


def _wishes(texts: tuple[str, ...]) -> "tuple[Wish, ...]":
    from codeblue.matrix.solve.wishes import Unwishable, wishes
    from codeblue.sources.target import Unusable

    try:
        return wishes(texts)
    except Unwishable as error:
        raise Unusable(error.line) from None


def _have(named: "Combination", on: str | None) -> "Combination":
    """Return what the options name, and for the rest what is on the target."""
    if on is None:
        return named
    from codeblue.cli.matrix.look import looked
    from codeblue.matrix.from_snapshot import installed_in, machine_of

    snapshot = looked(on)
    machine = machine_of(snapshot)
    return named.over(machine if named.torch else installed_in(snapshot).over(machine))


def _kept(texts: tuple[str, ...], have: "Combination") -> frozenset[str]:
    """Return the parts that must stay. Raises UsageError for one that does not exist or is not known."""
    names = [name.strip().replace("-", "_") for text in texts for name in text.split(",")]
    for name in filter(None, names):
        if name not in KEPT and name not in FIXED:
            raise click.UsageError(
                say(
                    f"--keep {name}: no such part; there are {', '.join(KEPT)}",
                    f"--keep {name}：没有这个部分；可用的有 {'、'.join(KEPT)}",
                )
            )
        if name in KEPT and getattr(have, name) is None:
            raise click.UsageError(
                say(
                    f"--keep {name}: nothing is known of it; give --{name}, or --on a target that has it",
                    f"--keep {name}：现状未知；请给出 --{name}，或用 --on 指定有它的目标",
                )
            )
    return frozenset(names)


def _write(found: "Solutions", written: str, output: str | None) -> None:
    """Print the best set for an installer; what is to be done before goes to the other stream."""
    from codeblue.remedy.installs import FORMS as WRITERS

    best = found.best[0]
    for change in best.changes:
        if change.administrator or (change.part == "compat" and change.after):
            first = say("first", "请先处理")
            click.echo(f"codeblue: {first}: {change.text.say(LANG)}", err=True)
    _put(WRITERS[written](best.install), output)


def _show(found: "Solutions", form: str, output: str | None, *, to_person: bool) -> None:
    from codeblue import knowledge
    from codeblue.report import solutions as report

    if form == "json":
        _put(report.document(found, knowledge.DATE, LANG), output)
        return
    if to_person and output is None:
        from codeblue.cli.output import show

        show(report.lines(found, knowledge.DATE, LANG), fold=True, whole=report.COMMAND)
        return
    text = "".join(f"{line}\n" for line, _ in report.lines(found, knowledge.DATE, LANG))
    if to_person:
        _put(text, output)
    else:  # no file for an installer can be made: what is printed must not be taken for one
        click.echo(text, nl=False, err=True)


def _put(text: str, output: str | None) -> None:
    if output is None:
        click.echo(text, nl=False)
        return
    from codeblue.cli.output import write

    write(output, text.encode())
