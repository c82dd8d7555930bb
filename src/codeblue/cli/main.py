"""The command line: find the verb, run it, turn every failure into one line and an exit code."""

import os
import signal
import sys
from io import TextIOWrapper

import click

from codeblue import __version__
from codeblue.cli.language import LANG, LANGUAGES, say
from codeblue.cli.lazy import LazyGroup

VERBS = {
    "check": say("Find the broken layer and its root cause", "找出出问题的层和根因"),
    "triage": say("Find the root cause in error text and logs", "从报错文本和日志中找出根因"),
    "fix": say("Show a repair, apply it, check that it helped", "显示修复方案，执行并确认有效"),
    "undo": say("Take a repair back", "撤销一次修复"),
    "journal": say("Show what was changed here", "显示在此做过的改动"),
    "diff": say(
        "What changed between two snapshots, or since it last worked", "两个快照之间、或自上次正常以来的变化"
    ),
    "matrix": say("Will these versions work together, and which ones would", "这些版本能否配合，哪些可以"),
    "trial": say(
        "Measure what this machine delivers, and whether it computes right",
        "实测这台机器的能力，以及算得对不对",
    ),
    "lint": say("Find the configuration that will break the next run", "找出会让下一次运行失败的配置"),
    "fleet": say("Check many nodes, on the engine that is there", "用现有的引擎检查多个节点"),
    "explain": say("Show the page of a fault", "显示某个故障的说明页"),
    "snapshot": say("Write what check reads to a file, redacted", "把 check 读到的内容脱敏后写入文件"),
    "probe": say("Print the probe as one program", "把探针输出为单个程序"),
}

USAGE = 2
INTERRUPTED = 130


@click.group(
    cls=LazyGroup,
    verbs=VERBS,
    package="codeblue.cli",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=say(
        "From a broken GPU training environment to its root cause, with evidence.",
        "从跑不起来的 GPU 训练环境到有证据的根因。",
    ),
)
@click.version_option(__version__, prog_name="codeblue", help=say("Print the version.", "显示版本。"))
@click.option("--lang", type=click.Choice(LANGUAGES), help=say("Language of the output.", "输出语言。"))
@click.pass_context
def cli(ctx: click.Context, lang: str | None) -> None:
    """Run one verb, or say what to do next."""
    if ctx.invoked_subcommand is None:
        from codeblue.cli.welcome import welcome

        welcome()


def main() -> None:
    """Entry point. Exit codes: see docs/exit-codes.md."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores the latter
            signal.signal(number, _stopped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows ASCII only still tells the rest
    try:
        code = cli.main(standalone_mode=False, prog_name="codeblue")
        sys.stdout.flush()
    except click.exceptions.Exit as request:
        code = request.exit_code
    except click.ClickException as error:
        code = _fail(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader of our pipe has left; stop quietly, also when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        from codeblue.sources.failures import because

        code = _fail(f"{error.filename or say('output', '输出')}: {because(error).say(LANG)}")
    except Exception as error:
        from codeblue.sources.target import Unusable

        if not isinstance(error, Unusable):
            raise
        code = _fail(error.line.say(LANG))
    if code != USAGE:  # that line has said it
        _name_silent()
    sys.exit(code or 0)


def _name_silent() -> None:
    """Say which folders were passed over, because their file system does not answer."""
    from codeblue import patience

    for folder in patience.all_silent():
        line = say("does not answer and was passed over", "没有响应，已跳过")
        click.echo(f"codeblue: {folder}: {line}", err=True)


def _stopped(number: int, _frame: object) -> None:
    """End like an interrupted run: what was started ends with it."""
    sys.exit(128 + number)


def _fail(line: str) -> int:
    click.echo(f"codeblue: {line}", err=True)
    return USAGE
