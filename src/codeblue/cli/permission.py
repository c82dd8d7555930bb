"""Which items of a plan may be carried out now, and who says so."""

import sys
from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import NamedTuple

import click

from codeblue.cli.language import LANG, say
from codeblue.cli.output import show
from codeblue.model.approval import Approval
from codeblue.model.plan import Plan, PlanItem, Refused
from codeblue.model.remedy import Risk
from codeblue.model.section import UNREAD, State, was_read
from codeblue.model.site import Site
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import Message, message
from codeblue.remedy import here, policy
from codeblue.remedy.journal import Journal
from codeblue.remedy.planning import automatic
from codeblue.report.escape import line
from codeblue.report.plans import RISKS


class Granted(NamedTuple):
    """An item that may be carried out."""

    item: PlanItem
    approved: str
    """Who approved it; empty if the user's word is enough."""


def granted(
    plan: Plan, rules: Site, journal: Journal, signed: Sequence[Approval], snapshot: Snapshot
) -> list[Granted]:
    """Return the items that the site and the state of the machine allow; say why the others are not.

    Raises Refused with the first reason if nothing at all may be done, and not because it is a person's job.
    """
    allowed: list[Granted] = []
    declined: list[tuple[PlanItem, Message]] = []
    for item in plan.items:
        why = _hindrance(item, rules, journal, snapshot)
        if why is None:
            try:
                allowed.append(Granted(item, _approval(item, plan, rules, signed)))
                continue
            except Refused as refused:
                why = refused.line
        declined.append((item, why))
    if not allowed and declined and not any(policy.human(item) for item, _ in declined):
        item, why = declined[0]
        raise Refused(message("{fault}: {why}", "{fault}：{why}", fault=item.fault, why=why.say(LANG)))
    show((f"{item.fault}: {line(why.say(LANG))}", "yellow") for item, why in declined)
    return allowed


def _hindrance(item: PlanItem, rules: Site, journal: Journal, snapshot: Snapshot) -> Message | None:
    now = datetime.now().astimezone()
    if policy.human(item):
        return message("a person has to do this; nothing was changed", "须由人执行；未做任何改动")
    forbidden = (policy.forbidden(step, rules.fix) for step in item.steps)
    reasons = (
        next((why for why in forbidden if why is not None), None),
        policy.outside(item, rules.fix.window, now),
        policy.waiting(item, journal.runs(), here.host(), here.boot()),
        policy.exhausted(item, journal.runs(), here.host(), rules.fix, now),
        _busy(snapshot) if item.risk in (Risk.IDLE, Risk.REBOOT) else None,
        message("needs root; run it with sudo", "需要 root；请用 sudo 运行")
        if any(step.root for step in item.steps)
        else None,
    )
    return next((why for why in reasons if why is not None), None)


def _busy(snapshot: Snapshot) -> Message | None:
    """Return that programs use the GPUs, None if none is known to."""
    view = snapshot.machine
    if view is None or view.nvml is UNREAD or view.nvml.state is not State.READ:
        return None
    gpus = view.nvml.gpus.values() if was_read(view.nvml, "gpus") else ()
    users = [pid for gpu in gpus if was_read(gpu, "processes") for pid in gpu.processes]
    if not users:
        return None
    return message(
        "{count} programs use the GPUs; try again when they have ended",
        "有 {count} 个程序正在使用 GPU；请在其结束后重试",
        count=len(users),
    )


def _approval(item: PlanItem, plan: Plan, rules: Site, signed: Sequence[Approval]) -> str:
    """Return who approved it; empty where the user decides. Raises Refused."""
    if automatic(item):
        return ""
    if not signed and not rules.approver and sys.stdin.isatty():
        return ""
    return policy.approved(item, plan.digest, signed, rules.approver, date.today())


def agreed(items: Sequence[Granted], yes: bool) -> list[Granted]:
    """Return what the user says yes to, asked once per risk. Raises Refused without a terminal to ask at."""
    order = list(Risk)
    said: list[Granted] = []
    ranked = sorted(items, key=lambda one: order.index(one.item.risk))
    for risk, group in groupby(ranked, key=lambda one: one.item.risk):
        members = list(group)
        settled = [one for one in members if one.approved or (yes and automatic(one.item))]
        open_ = [one for one in members if one not in settled]
        said += settled
        if open_ and _asked(risk, len(open_)):
            said += open_
    return [one for one in items if one in said]


def _asked(risk: Risk, count: int) -> bool:
    if not sys.stdin.isatty():
        raise Refused(
            message(
                "there is no terminal to ask at and nothing was changed; use --yes for safe steps, "
                "--approval FILE for others",
                "没有可供询问的终端，未做任何改动；安全的步骤请用 --yes，其他步骤请用 --approval FILE",
            )
        )
    kind = RISKS[risk].say(LANG)
    return click.confirm(say(f"apply {count} ({kind})?", f"执行 {count} 项（{kind}）？"), default=False)
