"""``codeblue fleet gate``: may a job start on this node? The answer is the exit code, in seconds."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.fleet.admission import Decision
    from codeblue.model.diagnosis import Diagnosis

LAYERS = ("hardware", "driver", "device-access", "container", "libraries")
FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
OF_JOBS = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
"""Slurm gives a prolog the GPUs of its job; the whole node is judged."""
PROBING = 0.7
"""Part of the time for the probe; the rest is for starting and judging."""
REFUSED = 1


class Late(Exception):
    """The time is over."""


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
    default="libraries",
    show_default=True,
    help=say("The highest layer whose trouble refuses.", "故障会导致拒绝的最高一层。"),
)
@click.option(
    "--refuse-likely",
    is_flag=True,
    help=say("Refuse also for what is only likely.", "仅为“很可能”的故障也拒绝。"),
)
@click.option(
    "--if-undecided",
    type=click.Choice(("admit", "refuse")),
    default="admit",
    show_default=True,
    help=say("What to do if the node could not be looked at in time.", "未能及时查看节点时的处理方式。"),
)
@click.option(
    "--seconds",
    type=click.FloatRange(2, 600),
    default=10,
    show_default=True,
    help=say("Time for the whole answer.", "给出答案的总时限。"),
)
@click.option(
    "--config",
    metavar="FILE",
    help=say("The site's codeblue.toml: what it expects and accepts.", "站点的 codeblue.toml：期望与豁免。"),
)
@options.lang
def command(
    place: str | None,
    up_to: str,
    refuse_likely: bool,
    if_undecided: str,
    seconds: float,
    config: str | None,
) -> int:
    """Look, decide, say why in one line."""
    if place is None:
        raise click.UsageError(
            say("name --slurm-prolog or --kubernetes-init", "请指定 --slurm-prolog 或 --kubernetes-init")
        )
    if place == "slurm":
        _as_daemon()
    try:
        with _within(seconds):
            decision = _decided(up_to, refuse_likely, seconds, config)
    except Late:
        return _undecided(if_undecided, say(f"no answer within {seconds:g} s", f"{seconds:g} 秒内没有结果"))
    except Exception as error:  # noqa: BLE001 - a mistake of ours or of the site's must not drain a cluster
        return _undecided(if_undecided, _words(error))
    if decision.refused:
        fault = decision.refused.fault
        _say(say("refuse", "拒绝"), f"{decision.refused.summary.say(LANG)} (codeblue explain {fault})")
        return REFUSED
    if decision.unread:
        layers = ", ".join(layer.value for layer in decision.unread)
        return _undecided(if_undecided, say(f"not read: {layers}", f"未读取：{layers}"))
    return 0


def _decided(up_to: str, likely: bool, seconds: float, config: str | None) -> "Decision":
    from codeblue.fleet.admission import UP_TO, decide
    from codeblue.model.fault import Certainty

    certainties = (Certainty.CERTAIN, Certainty.LIKELY) if likely else (Certainty.CERTAIN,)
    return decide(_looked(seconds, config), UP_TO[: LAYERS.index(up_to) + 1], certainties)


def _looked(seconds: float, config: str | None) -> "Diagnosis":
    """Look at this machine as far as the libraries. Raises Unusable."""
    from codeblue.cli import site
    from codeblue.pipeline import judge, read
    from codeblue.sources.launch import launch
    from codeblue.sources.target import parse

    accepts = site.load(config)
    where = parse("local")
    look = site.look(accepts, None, seconds * PROBING, "libraries")
    *_, whole = read(where, launch(where, look), (), look.salt, accepts)
    return judge(whole, accepts.site.waive)


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
