"""``codeblue fleet``: many nodes, on the engine that the site already runs."""

import click

from codeblue.cli.language import say
from codeblue.cli.lazy import LazyGroup

VERBS = {
    "check": say("Check many nodes", "检查多个节点"),
    "trial": say("Measure many nodes; find the bad node or link", "实测多个节点，找出有问题的节点或链路"),
    "fix": say("Repair many nodes, a canary first", "修复多个节点，先从试点节点开始"),
    "undo": say("Take the repairs of a run back", "撤销某次运行所做的修复"),
    "gate": say("Admit a job to this node, or refuse it", "允许或拒绝作业在本节点启动"),
    "report": say(
        "Show a kept run, as a page, Markdown or JSON", "以网页、Markdown 或 JSON 显示已保存的运行"
    ),
    "serve": say("Serve the numbers of the last run for Prometheus", "为 Prometheus 提供最近一次运行的指标"),
}


@click.group(
    "fleet",
    cls=LazyGroup,
    verbs=VERBS,
    package=__name__,
    invoke_without_command=True,
    help=say(
        "Many nodes at once, over ssh or the scheduler that is already there.",
        "同时检查多个节点：通过 ssh，或站点已有的调度系统。",
    ),
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Only a group: its verbs do the work."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
