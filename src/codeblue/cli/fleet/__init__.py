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
    "oddities": say("Show who differs from the rest", "显示与众不同的节点"),
    "diff": say("Show what changed between two runs", "显示两次运行之间的变化"),
    "history": say("Show when a node changed", "显示节点何时发生变化"),
    "lint": say("Judge documents and configuration against a run", "对照一次运行检查文档与配置"),
    "query": say("Ask kept runs in SQL", "用 SQL 查询已保存的运行"),
    "expect": say("Write codeblue.toml from a healthy node", "由健康节点生成 codeblue.toml"),
    "runs": say("List the kept runs", "列出已保存的运行"),
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
