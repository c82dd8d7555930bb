"""``codeblue fleet check``: look at many nodes, keep the run, say what is wrong on which of them."""

import sys
from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.model.fleet import Judged


@click.command("check", help=say("Check many nodes and keep the run.", "检查多个节点并保存结果。"))
@engines.chosen
@options.looking
@click.option(
    "--fast",
    is_flag=True,
    help=say("Do not run torch: layers up to the libraries.", "不运行 torch：只到库这一层。"),
)
@click.option(
    "--resume", metavar="RUN", help=say("Ask those that have not answered yet.", "继续询问尚未回答的节点。")
)
@engines.stored
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the report.", "报告形式。"),
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the report to a file.", "把报告写入文件。"))
@options.lang
def command(
    chosen: engines.Chosen,
    as_user: str | None,
    budget: float | None,
    config: str | None,
    fast: bool,
    resume: str | None,
    store: str | None,
    form: str,
    output: str | None,
) -> int:
    """Ask, keep, judge, report."""
    from codeblue.cli import site
    from codeblue.cli.fleet.progress import Progress
    from codeblue.cli.fleet.reporting import report
    from codeblue.fleet.asking import ask, new_run
    from codeblue.model.fleet import NodeState

    accepts = site.load(config)
    look = site.look(accepts, as_user, budget, "libraries" if fast else "frameworks")
    kept = engines.store_at(store)
    engine = chosen.engine()
    if chosen.renders:
        return engines.show(chosen, look, output)
    if resume:
        run = kept.run(resume)
        answered = {node.name for node in kept.nodes(run) if node.state is NodeState.ANSWERED}
        # Those that were at work or down may be free by now.
        now = {node.name: node for node in engine.nodes()}
        nodes = [now.get(node.name, node) for node in run.nodes if node.name not in answered]
    else:
        run = new_run(engine, chosen.asked)
        nodes = list(run.nodes)
        kept.begin(run)
    with Progress(len(nodes)) as progress:
        for reply in kept.add(run, ask(engine, nodes, look, chosen.limit)):
            progress.step(reply)
    judged = report(kept, run, accepts, form, output, LANG)
    sys.stdout.flush()
    return exit_code(judged)


def exit_code(nodes: "list[Judged]") -> int:
    """Return 1 for trouble on any node, 3 where a node is not known about, else 0 (docs/exit-codes.md)."""
    from codeblue.model.fleet import NodeState

    if any(node.verdict == "trouble" for node in nodes):
        return 1
    known = (NodeState.ANSWERED, NodeState.ALLOCATED)
    undecided = any(node.state not in known or node.verdict == "unknown" for node in nodes)
    return 3 if undecided or not nodes else 0
