"""What the site allows: verbs, paths, windows, attempts, and who may approve what."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta, timezone
from fnmatch import fnmatchcase

from codeblue.model.approval import Approval
from codeblue.model.journal import Event
from codeblue.model.plan import PlanItem, PlannedStep, Refused
from codeblue.model.remedy import Automation, Risk
from codeblue.model.site import Approver, Fix, Window
from codeblue.model.text import Message, message
from codeblue.remedy.journal import Run

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
IN_WINDOW = (Risk.DISRUPTIVE, Risk.REBOOT)
VAIN = (Event.NOT_FIXED, Event.FAILED)
COUNTED = timedelta(days=7)
"""How far back attempts in vain are counted."""


def forbidden(step: PlannedStep, rules: Fix) -> Message | None:
    """Return why the site does not let this step be done, None if it does."""
    if step.verb.value in rules.forbid:
        return message("codeblue.toml forbids {verb}", "codeblue.toml 禁止 {verb}", verb=step.verb.value)
    path = step.args.get("path") or step.args.get("file") or ""
    pattern = next((one for one in rules.never_touch if path and fnmatchcase(path, one)), None)
    if pattern is not None:
        return message(
            "codeblue.toml says never to touch {path} ({pattern})",
            "codeblue.toml 规定不得改动 {path}（{pattern}）",
            path=path,
            pattern=pattern,
        )
    return None


def human(item: PlanItem) -> bool:
    """Return whether a person has to do it: the plan is a runbook then."""
    return item.automation is Automation.HUMAN or item.risk is Risk.HUMAN


def outside(item: PlanItem, windows: Sequence[Window], now: datetime) -> Message | None:
    """Return that it has to wait for a maintenance window, None if it need not."""
    if item.risk not in IN_WINDOW or not windows or any(_open(one, now) for one in windows):
        return None
    return message(
        "{risk} steps wait for a maintenance window; now is {now}",
        "{risk} 类步骤须等到维护窗口；现在是 {now}",
        risk=item.risk.value,
        now=now.strftime("%a %H:%M"),
    )


def _open(window: Window, now: datetime) -> bool:
    clock = now.strftime("%H:%M")
    today, yesterday = DAYS[now.weekday()], DAYS[now.weekday() - 1]
    if window.begin <= window.end:
        return today in window.days and window.begin <= clock < window.end
    return (today in window.days and clock >= window.begin) or (
        yesterday in window.days and clock < window.end
    )


def waiting(item: PlanItem, runs: Iterable[Run], host: str, boot: str) -> Message | None:
    """Return that it was done in this boot and a reboot has to show whether it helped, else None."""
    for run in runs:
        same = (run.begin.fault, run.begin.subject) == (item.fault, item.subject)
        if same and run.awaiting and (run.begin.host, run.begin.boot) == (host, boot):
            return message(
                "done already ({run}), and awaits a reboot; codeblue check says afterwards whether it helped",
                "已经执行（{run}），等待重启；重启后 codeblue check 会说明是否有效",
                run=run.name,
            )
    return None


def exhausted(item: PlanItem, runs: Iterable[Run], host: str, rules: Fix, now: datetime) -> Message | None:
    """Return that the fault was tried in vain too often on this host, None if it was not."""
    since = (now.astimezone(timezone.utc) - COUNTED).strftime("%Y-%m-%dT%H:%M:%SZ")
    tried = [
        run
        for run in runs
        if run.begin.host == host
        and (run.begin.fault, run.begin.subject) == (item.fault, item.subject)
        and run.begin.time >= since
        and any(record.event in VAIN for record in run.records)
    ]
    if len(tried) < rules.attempts:
        return None
    return message(
        "tried {count} times in vain within a week; a person has to look (codeblue journal)",
        "一周内已尝试 {count} 次均未奏效；需要人工处理（codeblue journal）",
        count=len(tried),
    )


def approved(
    item: PlanItem, digest: str, approvals: Sequence[Approval], approvers: Sequence[Approver], today: date
) -> str:
    """Return who approved an item. Raises Refused with the reason why no approval counts."""
    reasons = []
    for one in approvals:
        why = _void(one, item, digest, approvers, today)
        if why is None:
            return one.owner
        reasons.append(why)
    raise Refused(
        reasons[0]
        if reasons
        else message(
            "{risk} steps need a terminal to ask at, or a saved plan with its approval: --plan, --approval",
            "{risk} 类步骤需要可供询问的终端，或针对已保存计划的审批文件：--plan、--approval",
            risk=item.risk.value,
        )
    )


def _void(
    one: Approval, item: PlanItem, digest: str, approvers: Sequence[Approver], today: date
) -> Message | None:
    values = {"owner": one.owner or "-", "risk": item.risk.value, "plan": digest[:12]}
    if one.plan != digest:
        return message(
            "the approval of {owner} is for plan {other}, this is {plan}",
            "{owner} 的审批针对计划 {other}，而当前是 {plan}",
            **values,
            other=one.plan[:12],
        )
    if one.until < today:
        return message(
            "the approval of {owner} ended on {until}",
            "{owner} 的审批已于 {until} 到期",
            **values,
            until=one.until.isoformat(),
        )
    if one.risks and item.risk.value not in one.risks:
        return message(
            "the approval of {owner} does not cover {risk} steps",
            "{owner} 的审批不包括 {risk} 类步骤",
            **values,
        )
    return _not_entitled(one, item, approvers, today, values)


def _not_entitled(
    one: Approval, item: PlanItem, approvers: Sequence[Approver], today: date, values: dict[str, str]
) -> Message | None:
    if not one.owner.strip():
        return message("the approval names no owner", "该审批没有写明责任人", **values)
    if not approvers:
        return None
    person = next((who for who in approvers if who.name == one.owner), None)
    if person is None:
        return message(
            "{owner} is no approver of codeblue.toml: the approval does not count",
            "{owner} 不是 codeblue.toml 中的审批人：该审批无效",
            **values,
        )
    if person.until < today:
        return message(
            "the post of {owner} is vacant since {until}: the approval does not count",
            "{owner} 的职责自 {until} 起空缺：该审批无效",
            **values,
            until=person.until.isoformat(),
        )
    if item.risk.value not in person.risks:
        return message("{owner} may not approve {risk} steps", "{owner} 无权审批 {risk} 类步骤", **values)
    return None
