"""``codeblue fleet fix``: one repair on many nodes, a canary first, then batches, until too many fail."""

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.fleet.repairing import Wanted, fix, remote
from codeblue.cli.language import say


@click.command(
    "fix",
    help=say(
        "Show what the nodes' own codeblue would do about FAULT, equal plans once; with --apply, repair a "
        "canary, check it, then batch after batch. What does not help is taken back on its node. "
        "Without --apply nothing is changed.",
        "显示各节点上的 codeblue 会如何修复 FAULT，相同的计划只列一次；用 --apply 时先修复试点节点并复查，"
        "再逐批进行。无效的改动由该节点自行撤销。不加 --apply 不做任何改动。",
    ),
)
@click.argument("fault")
@engines.chosen
@click.option(
    "--run",
    "name",
    metavar="RUN",
    help=say(
        "Only the nodes on which this kept run has found it; also names an earlier preview.",
        "只处理该次运行中发现此故障的节点；也用于指定先前的预览。",
    ),
)
@remote
@click.option("--apply", is_flag=True, help=say("Carry the plans out.", "执行计划。"))
@click.option("--resume", is_flag=True, help=say("Go on where it was stopped.", "从停止或中断处继续。"))
@click.option("--yes", is_flag=True, help=say("Do not ask before safe steps.", "对安全的步骤不再询问。"))
@click.option(
    "--approval",
    "approvals",
    multiple=True,
    metavar="FILE",
    help=say("Approval of the plan of all nodes, or of one.", "对整个计划或某个节点计划的审批文件。"),
)
@click.option(
    "--canary",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help=say(
        "Nodes that must be fixed before others are touched.", "先修复的试点节点数，成功后才处理其他节点。"
    ),
)
@click.option(
    "--batch",
    default="10%",
    metavar="N|SHARE",
    show_default=True,
    help=say("Nodes of each batch.", "每批的节点数或比例。"),
)
@click.option(
    "--stop-above",
    default="10%",
    metavar="SHARE",
    show_default=True,
    help=say(
        "Begin no other batch if more of one fail; three failures in a row stop it too.",
        "一批中失败比例超过此值时不再开始下一批；连续三次失败也会停止。",
    ),
)
@click.option(
    "--drain",
    is_flag=True,
    help=say(
        "Let Slurm start nothing on a node while it is repaired; a node that stays broken stays drained.",
        "修复期间让 Slurm 不在该节点启动作业；未能修复的节点保持 drain。",
    ),
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
@options.lang
def command(
    fault: str,
    chosen: engines.Chosen,
    name: str | None,
    remote_codeblue: str | None,
    seconds: float,
    apply: bool,
    resume: bool,
    yes: bool,
    approvals: tuple[str, ...],
    canary: int,
    batch: str,
    stop_above: str,
    drain: bool,
    store: str | None,
    form: str,
) -> int:
    """Plan, show, and on demand apply."""
    wanted = Wanted(
        fault=fault,
        chosen=chosen,
        run=name,
        remote=remote_codeblue,
        seconds=seconds,
        apply=apply or resume,
        resume=resume,
        yes=yes,
        approvals=approvals,
        canary=canary,
        batch=batch,
        stop_above=stop_above,
        drain=drain,
        form=form,
    )
    return fix(wanted, engines.store_at(store))
