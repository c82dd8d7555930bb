"""``codeblue fix``: from the last check to a plan, and from a plan to a machine that works again."""

import shlex
from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.model.diagnosis import Diagnosis
    from codeblue.model.plan import Plan
    from codeblue.model.text import Message


@click.command(
    "fix",
    help=say(
        "Show what would repair the machine; with --apply, do it, check it, and take it back if it does not "
        "help. FAULT limits it to some findings. Nothing is changed without --apply.",
        "显示修复方案；用 --apply 时执行、复查，无效则撤销。FAULT 只处理指定的故障。"
        "不加 --apply 不做任何改动。",
    ),
)
@click.argument("faults", nargs=-1, metavar="[FAULT]...")
@click.option(
    "--on",
    "target",
    metavar="TARGET",
    default="local",
    show_default=True,
    help=say("What was checked: local or python:PATH.", "检查的目标：local 或 python:路径。"),
)
@click.option("--apply", is_flag=True, help=say("Carry the plan out.", "执行计划。"))
@click.option(
    "--yes",
    is_flag=True,
    help=say("Do not ask before safe steps.", "对安全的步骤不再询问。"),
)
@click.option(
    "--approval",
    "approvals",
    multiple=True,
    metavar="FILE",
    help=say("Approval of the plan; may be repeated.", "计划的审批文件；可重复。"),
)
@click.option(
    "--plan",
    "saved",
    metavar="FILE",
    help=say(
        "Keep the plan in this file; with --apply, carry out the plan in it.",
        "把计划保存到此文件；与 --apply 合用时执行其中的计划。",
    ),
)
@click.option(
    "--temporary",
    metavar="DAYS",
    help=say(
        "The change is to be taken back after so many days (3d): check reminds of it.",
        "改动应在若干天（3d）后撤销：check 会提醒。",
    ),
)
@click.option(
    "--render",
    type=click.Choice(("sh", "ansible", "kubectl-patch", "dockerfile")),
    help=say("Print the plan for your own tools.", "输出计划，供你自己的工具使用。"),
)
@click.option(
    "--as-user",
    metavar="USER",
    show_default=say("the user behind sudo", "sudo 背后的用户"),
    help=say("Whose trouble it is (needs root).", "为哪个用户修复（需要 root）。"),
)
@click.option(
    "--config",
    metavar="FILE",
    help=say("The site's codeblue.toml.", "站点的 codeblue.toml。"),
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json")),
    default="terminal",
    show_default=True,
    help=say("Form of the preview.", "预览的形式。"),
)
@options.lang
def command(
    faults: tuple[str, ...],
    target: str,
    apply: bool,
    yes: bool,
    approvals: tuple[str, ...],
    saved: str | None,
    temporary: str | None,
    render: str | None,
    as_user: str | None,
    config: str | None,
    form: str,
) -> int:
    """Plan, show, and on demand apply."""
    from codeblue.cli import fixing
    from codeblue.cli.fixing import Where, judged, known, when
    from codeblue.cli.refusals import refusals

    known(faults)
    if apply and (render or form == "json"):
        raise click.UsageError(say("--apply prints no plan", "--apply 不输出计划"))
    if apply and saved and temporary:
        raise click.UsageError(
            say(
                "--temporary is part of a saved plan: give it when the plan is made, without --apply",
                "--temporary 是已保存计划的一部分：请在生成计划（不加 --apply）时给出",
            )
        )
    where = Where(target, config, judged(as_user))
    with refusals():
        if apply:
            from codeblue.cli.applying import applying

            return applying(faults, where, yes, approvals, saved, when(temporary))
        diagnosis = fixing.diagnosed(fixing.last_or_fresh(where), where)
        plan, refused = fixing.plan_for(diagnosis, faults, when(temporary))
        if saved is not None:
            from codeblue.cli.output import write
            from codeblue.remedy.approvals import encoded

            write(saved, encoded(plan))
        if render is not None:
            return _rendered(plan, refused, render)
        if form == "json":
            from codeblue.report import plans

            click.echo(plans.document(plan, refused, LANG), nl=False)
            return 0
        _previewed(plan, refused, diagnosis, [*faults, *_same(target, as_user)])
        return 0


def _previewed(
    plan: "Plan", refused: "tuple[tuple[str, Message], ...]", diagnosis: "Diagnosis", same: list[str]
) -> None:
    """Show the plan, what earlier changes wait for, and the command that applies it."""
    from codeblue.cli.fixing import CHANGED
    from codeblue.cli.output import show
    from codeblue.cli.reminders import reminders
    from codeblue.report import plans
    from codeblue.sources.target import parse

    if parse(diagnosis.target).kind in CHANGED:
        show((note.say(LANG), "yellow") for note in reminders(diagnosis))
    show(plans.lines(plan, refused, LANG))
    if plan.items:
        show([(plans.NEXT.say(LANG, faults="".join(f"{shlex.quote(one)} " for one in same)), "dim")])


def _same(target: str, as_user: str | None) -> list[str]:
    """Return the options without which the next call would be about another target or user."""
    return [
        *(["--on", target] if target != "local" else []),
        *(["--as-user", as_user] if as_user is not None else []),
    ]


def _rendered(plan: "Plan", refused: "tuple[tuple[str, Message], ...]", form: str) -> int:
    """Print the plan for other tools; where there is none the standard output stays empty."""
    from codeblue.remedy.render import rendered
    from codeblue.report import plans
    from codeblue.report.escape import line

    for fault, why in refused:
        told = plans.NOT_PLANNED.say(LANG, fault=fault, why=line(why.say(LANG)))
        click.echo(f"codeblue: {told}", err=True)
    if plan.items:
        click.echo(rendered(plan, form, LANG), nl=False)
    elif not refused:
        click.echo(f"codeblue: {plans.NOTHING.say(LANG)}", err=True)
    return 0
