"""``codeblue trial``: does this machine deliver what it should, and the same numbers as yesterday."""

import sys

import click

from codeblue.cli import numerics, options
from codeblue.cli.language import LANG, say

FORMATS = ("terminal", "json", "junit", "prometheus")
BUDGET = 240.0
"""Seconds: on a healthy machine a minute is enough, a sick one is given time."""


@click.command(
    "trial",
    help=say(
        "Measure what this machine delivers: compute, memory, links, collectives (nccl), numerics, "
        "input (loader). All of them in about a minute if none is named.",
        "实测这台机器的能力：计算、显存、互联、集合通信（nccl）、数值、数据输入（loader）。"
        "不指定则全部测一遍，约一分钟。",
    ),
)
@click.argument("trials", nargs=-1, metavar="[gpu|memory|links|nccl|numerics|loader]...")
@click.option(
    "--on",
    "target",
    default="local",
    metavar="TARGET",
    help=say(
        "Where: local, python:PATH, docker:NAME, podman:NAME, pod:NS/POD[/CONTAINER].",
        "在哪里：local、python:路径、docker:名称、podman:名称、pod:命名空间/POD[/容器]。",
    ),
)
@click.option(
    "--gpus",
    metavar="0,1",
    help=say("Only these GPUs, as torch numbers them.", "只测这些 GPU（torch 的编号）。"),
)
@click.option(
    "--busy",
    is_flag=True,
    help=say("Also GPUs that others are using: slows them down.", "也测正在被使用的 GPU：会拖慢它们。"),
)
@click.option("--small", is_flag=True, help=say("Small sizes: does it run at all.", "小规模：只看能否运行。"))
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="DATA",
    help=say(
        "Folder with the job's data: the loader trial reads there too. May be repeated.",
        "任务数据所在的文件夹：loader 试验也会读取它。可重复使用。",
    ),
)
@click.option(
    "--launch",
    metavar="LAUNCHER",
    help=say(
        "Start the ranks of nccl by this launcher, across hosts: 'srun -N2 --ntasks-per-node=8', "
        "'torchrun --no-python …', 'mpirun …'.",
        "用该启动器跨主机启动 nccl 的各 rank：'srun -N2 --ntasks-per-node=8'、"
        "'torchrun --no-python …'、'mpirun …'。",
    ),
)
@click.option(
    "--with",
    "with_",
    multiple=True,
    metavar="NAME=VALUE",
    help=say(
        "Run nccl once more with this variable, and show the gain.", "设置该变量再测一次 nccl，并显示收益。"
    ),
)
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help=say(
        "Run nccl once more without this variable, and show the gain.",
        "去掉该变量再测一次 nccl，并显示收益。",
    ),
)
@numerics.options
@options.looking
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
    "--snapshot",
    "facts",
    metavar="FILE",
    help=say(
        "Also write all facts to a file; judge it anywhere: codeblue check file:FILE.",
        "同时把全部事实写入文件；可在任何地方判断：codeblue check file:文件。",
    ),
)
@click.option(
    "-v", "--verbose", is_flag=True, help=say("List everything that was looked at.", "列出查看过的一切。")
)
@options.lang
def command(
    trials: tuple[str, ...],
    target: str,
    gpus: str | None,
    busy: bool,
    small: bool,
    paths: tuple[str, ...],
    save: str | None,
    against: str | None,
    launch: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    as_user: str | None,
    budget: float | None,
    config: str | None,
    form: str,
    output: str | None,
    facts: str | None,
    verbose: bool,
) -> int:
    """Measure, judge, report."""
    from codeblue.cli import site
    from codeblue.cli.check import exit_code
    from codeblue.cli.trying import LIVE, Screen, asked_for, live, look
    from codeblue.sources.launch import launch as sent

    where = live(target)
    asked = asked_for(
        where,
        trials=trials,
        gpus=gpus,
        busy=busy,
        small=small,
        paths=paths,
        launch=launch,
        with_=with_,
        without=without,
    )
    numerics.check(asked.trials, save, against)
    accepts = site.load(config)
    options_ = look(site.look(accepts, as_user, budget or BUDGET), asked)
    base = numerics.base(against, options_, LIVE) if against else None
    launched = sent(where, options_)

    # Imported while the probe is at work.
    from msgspec import json

    from codeblue.cli.output import write
    from codeblue.cli.trial_run import heard, told

    screen = Screen(form, output, verbose, options_.salt, LANG, asked)
    screen.prepare()
    snapshot = numerics.beside(heard(screen, where, launched, asked, options_, accepts), base)
    snapshot, diagnosis = told(screen, snapshot, asked, accepts)
    if facts:
        write(facts, json.format(json.encode(snapshot), indent=1) + b"\n")
    if save:
        numerics.keep(snapshot, save)
    sys.stdout.flush()
    return exit_code(diagnosis.verdict.value, accepts.site.check.fail_on)
