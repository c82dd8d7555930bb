"""``codeblue fleet trial``: the same trials on many nodes, and collectives over all of them at once."""

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.language import LANG, say

BUDGET = 240.0
"""Seconds, as for one machine."""


@click.command(
    "trial",
    help=say(
        "Measure on many nodes at once, and say who is behind the others. nccl with -N or --launch runs one "
        "job over all of them; if it fails or is slow, runs over fewer name the bad node or link.",
        "同时在多个节点上实测，并指出明显落后的节点。nccl 加 -N 或 --launch 时，在所有节点上运行一个作业；"
        "若失败或过慢，则在更少的节点上重跑，直到找出有问题的节点或链路。",
    ),
)
@click.argument("trials", nargs=-1, metavar="[gpu|memory|links|nccl|numerics|loader]...")
@engines.chosen
@options.looking
@click.option(
    "-N",
    "count",
    type=click.IntRange(2, 100_000),
    metavar="NODES",
    help=say("Collectives over so many nodes.", "在这么多个节点上运行集合通信。"),
)
@click.option(
    "--launch",
    metavar="COMMAND",
    help=say(
        "What starts the ranks on some nodes: {nodes} becomes their names with commas, {folded} their short "
        "form, {count} their number. Default with --slurm: srun.",
        "在若干节点上启动各 rank 的命令：{nodes} 替换为逗号分隔的节点名，{folded} 为缩写形式，"
        "{count} 为节点数。"
        "使用 --slurm 时缺省为 srun。",
    ),
)
@click.option(
    "--ranks",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help=say("Ranks on each node, for srun.", "每个节点的 rank 数（用于 srun）。"),
)
@click.option(
    "--torch-python",
    metavar="PATH",
    default="python3",
    show_default=True,
    help=say(
        "Interpreter with torch on the nodes, for the ranks.", "节点上带 torch 的解释器，供各 rank 使用。"
    ),
)
@click.option(
    "--floor",
    type=click.FloatRange(0, min_open=True),
    metavar="GB/S",
    help=say(
        "Bus bandwidth of all_reduce below which a run is slow; else seven tenths of the best half.",
        "all_reduce 总线带宽低于此值即视为过慢；缺省为较快一半节点的七成。",
    ),
)
@click.option(
    "--runs",
    "most",
    type=click.IntRange(1, 1000),
    default=40,
    show_default=True,
    help=say("Runs at most, all together.", "运行次数上限（合计）。"),
)
@click.option("--small", is_flag=True, help=say("Short and small.", "小规模快速测试。"))
@engines.stored
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the report.", "报告形式。"),
)
@options.lang
def command(
    trials: tuple[str, ...],
    chosen: engines.Chosen,
    as_user: str | None,
    budget: float | None,
    config: str | None,
    count: int | None,
    launch: str | None,
    ranks: int,
    torch_python: str,
    floor: float | None,
    most: int,
    small: bool,
    store: str | None,
    form: str,
) -> int:
    """Measure, keep, compare, report."""
    from codeblue.cli import site
    from codeblue.cli.fleet.trying import Collective, measure
    from codeblue.cli.trying import Asked, look, named

    together = count is not None or launch is not None
    wanted = named(trials)
    if together and "nccl" not in trials:
        raise click.UsageError(say("-N and --launch go with nccl", "-N 和 --launch 须与 nccl 一起使用"))
    alone = tuple(one for one in wanted if not (together and one == "nccl"))
    accepts = site.load(config)
    asked = look(site.look(accepts, as_user, budget or BUDGET), Asked(trials=alone, small=small))
    collective = Collective(
        count=count,
        launch=launch,
        ranks=ranks,
        python=torch_python,
        floor=floor,
        most=most,
        small=small,
        seconds=budget or BUDGET,
        partition=chosen.slurm.partition if chosen.slurm else None,
        slurm=chosen.slurm is not None,
    )
    kept = engines.store_at(store)
    return measure(
        chosen, kept, accepts, asked if alone else None, collective if together else None, form, LANG
    )
