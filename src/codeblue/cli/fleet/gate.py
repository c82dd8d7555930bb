"""``codeblue fleet gate``: may a job start on this node? The answer is the exit code, in seconds."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.fleet.admission import Decision, Terms
    from codeblue.model.finding import Finding
    from codeblue.sources.site import Loaded

LAYERS = ("hardware", "driver", "device-access", "container", "libraries")
FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
OF_JOBS = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
"""Slurm gives a prolog the GPUs of its job; the whole node is judged."""
PROBING = 0.7
"""Part of the time for the probe; the rest is for starting and judging."""
REFUSED = 1
SECONDS = 10.0
"""For the whole answer, where nothing else is said."""
SHORTEST = 0.1
"""Seconds that are left for looking in any case."""


class Late(Exception):
    """The time is over."""


def _in_catalogue(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of faults. Raises BadParameter for one that the catalogue does not have."""
    if names:
        from codeblue.faults import index

        for name in names:
            if name not in index.entries():
                raise click.BadParameter(
                    say(
                        f"no fault named '{name}'; see codeblue explain --list",
                        f"没有名为 '{name}' 的故障；请看 codeblue explain --list",
                    )
                )
    return names


@click.command(
    "gate",
    help=say(
        "Admit a job to this node (exit code 0) or refuse it (1), with one line that says why. A prolog that "
        "fails makes Slurm drain the node, so only what is certainly broken below the job refuses.",
        "是否允许作业在本节点启动：允许则退出码为 0，拒绝则为 1，并用一行说明原因。prolog 失败会使 Slurm "
        "将节点置为 drain，因此只有作业以下各层确定的故障才会拒绝。",
    ),
)
@click.option(
    "--slurm-prolog",
    "place",
    flag_value="slurm",
    help=say("As Prolog of slurm.conf.", "用作 slurm.conf 的 Prolog。"),
)
@click.option(
    "--kubernetes-init",
    "place",
    flag_value="kubernetes",
    help=say("As the init container of a pod.", "用作 Pod 的 init 容器。"),
)
@click.option(
    "--up-to",
    type=click.Choice(LAYERS),
    help=say(
        "The highest layer whose trouble refuses; default libraries.",
        "故障会导致拒绝的最高一层；缺省为 libraries。",
    ),
)
@click.option(
    "--refuse-likely/--no-refuse-likely",
    default=None,
    help=say("Refuse also for what is only likely.", "仅为“很可能”的故障也拒绝。"),
)
@click.option(
    "--refuse-for",
    multiple=True,
    metavar="FAULT",
    callback=_in_catalogue,
    help=say(
        "Refuse for this fault in any case, also if it is a risk.", "出现此故障时一律拒绝，风险也不例外。"
    ),
)
@click.option(
    "--only-report",
    multiple=True,
    metavar="FAULT",
    callback=_in_catalogue,
    help=say("Tell this fault, and start the job.", "只报告此故障，作业照常启动。"),
)
@click.option(
    "--if-undecided",
    type=click.Choice(("admit", "refuse")),
    help=say(
        "What to do if the node could not be looked at in time; default admit.",
        "未能及时查看节点时的处理方式；缺省为 admit。",
    ),
)
@click.option(
    "--seconds",
    type=click.FloatRange(2, 600),
    help=say("Time for the whole answer; default 10.", "给出答案的总时限（秒）；缺省 10。"),
)
@click.option(
    "--config",
    metavar="FILE",
    help=say(
        "The site's codeblue.toml: what it expects and accepts, and in [gate] what these options say.",
        "站点的 codeblue.toml：期望与豁免；[gate] 表可写这些选项。",
    ),
)
@options.lang
def command(
    place: str | None,
    up_to: str | None,
    refuse_likely: bool | None,
    refuse_for: tuple[str, ...],
    only_report: tuple[str, ...],
    if_undecided: str | None,
    seconds: float | None,
    config: str | None,
) -> int:
    """Look, decide, say why in one line."""
    if place is None:
        raise click.UsageError(
            say("name --slurm-prolog or --kubernetes-init", "请指定 --slurm-prolog 或 --kubernetes-init")
        )
    if place == "slurm":
        _as_daemon()
    began, patience, choice = time.monotonic(), seconds or SECONDS, if_undecided or "admit"
    try:
        with _within(patience):
            accepts = _accepts(config)
        given = accepts.site.gate
        patience, choice = seconds or given.seconds or SECONDS, if_undecided or given.if_undecided or "admit"
        terms = _terms(
            up_to or given.up_to or LAYERS[-1],
            bool(given.refuse_likely if refuse_likely is None else refuse_likely),
            refuse_for or given.refuse_for,
            only_report or given.only_report,
        )
        with _within(max(SHORTEST, began + patience - time.monotonic())):
            decision = _decided(accepts, terms, patience)
    except Late:
        return _undecided(choice, say(f"no answer within {patience:g} s", f"{patience:g} 秒内没有结果"))
    except Exception as error:  # noqa: BLE001 - a mistake of ours or of the site's must not drain a cluster
        return _undecided(choice, _words(error))
    return _told(decision, choice)


def _told(decision: "Decision", choice: str) -> int:
    if decision.refused:
        _say(say("refuse", "拒绝"), _fault(decision.refused))
        return REFUSED
    if decision.unread:
        layers = ", ".join(layer.value for layer in decision.unread)
        return _undecided(choice, say(f"not read: {layers}", f"未读取：{layers}"))
    if decision.reported:
        _say(say("admit, only reported", "允许，仅报告"), _fault(decision.reported[0]))
    return 0


def _fault(finding: "Finding") -> str:
    return f"{finding.summary.say(LANG)} (codeblue explain {finding.fault})"


def _accepts(config: str | None) -> "Loaded":
    from codeblue.cli import site

    return site.load(config)


def _terms(up_to: str, likely: bool, refuse_for: Sequence[str], only_report: Sequence[str]) -> "Terms":
    from codeblue.fleet.admission import UP_TO, Terms
    from codeblue.model.fault import Certainty

    return Terms(
        layers=UP_TO[: LAYERS.index(up_to) + 1],
        certainties=(Certainty.CERTAIN, Certainty.LIKELY) if likely else (Certainty.CERTAIN,),
        refuse_for=refuse_for,
        only_report=only_report,
    )


def _decided(accepts: "Loaded", terms: "Terms", seconds: float) -> "Decision":
    """Look at this machine as far as the libraries, and decide. Raises Unusable."""
    from codeblue.cli import site
    from codeblue.fleet.admission import decide
    from codeblue.pipeline import judge, read
    from codeblue.sources.launch import launch
    from codeblue.sources.target import parse

    where = parse("local")
    look = site.look(accepts, None, seconds * PROBING, "libraries")
    *_, whole = read(where, launch(where, look), (), look.salt, accepts)
    return decide(judge(whole, accepts.site.waive), terms)


def _as_daemon() -> None:
    """Make up for the bare environment of a prolog, and leave out what is the job's."""
    os.environ.setdefault("PATH", FOLDERS)
    for name in OF_JOBS:
        os.environ.pop(name, None)
    with suppress(OSError):
        os.chdir("/")


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raise Late in the body when the time is over."""

    def late(number: int, frame: object) -> NoReturn:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _undecided(choice: str, why: str) -> int:
    refuse = choice == "refuse"
    _say(
        say("refuse, undecided", "未能判定，拒绝") if refuse else say("admit, undecided", "未能判定，允许"),
        why,
    )
    return REFUSED if refuse else 0


def _words(error: Exception) -> str:
    from codeblue.sources.target import Unusable

    return error.line.say(LANG) if isinstance(error, Unusable) else f"{type(error).__name__}: {error}"


def _say(verdict: str, why: str) -> None:
    from codeblue.report.escape import line

    # slurmd and kubelet keep what is said here.
    click.echo(line(f"codeblue gate: {verdict}: {why}")[:1000], err=True)
