"""A plan, what came of it and the journal, for people and for programs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import json, to_builtins

from codeblue.model.journal import Event, Record
from codeblue.model.plan import Plan, PlanItem, PlannedStep
from codeblue.model.remedy import Automation, Risk, Undo
from codeblue.model.text import Message, Text
from codeblue.remedy.shell import command
from codeblue.report import words
from codeblue.report.escape import line, plain

RISKS = {
    Risk.SAFE: Text("safe", "安全"),
    Risk.IDLE: Text("needs idle GPUs", "需 GPU 空闲"),
    Risk.DISRUPTIVE: Text("disruptive", "会影响运行中的工作"),
    Risk.REBOOT: Text("needs a reboot", "需要重启"),
    Risk.HUMAN: Text("for a person", "须由人执行"),
}
EVENTS = {
    Event.BEGIN: Text("begun", "开始"),
    Event.INTENT: Text("begins", "即将执行"),
    Event.RUNNING: Text("starts a program", "启动程序"),
    Event.DONE: Text("done", "已执行"),
    Event.FAILED: Text("not done", "未执行"),
    Event.BACK_INTENT: Text("is being taken back", "正在撤销"),
    Event.BACK: Text("taken back", "已撤销"),
    Event.BACK_FAILED: Text("could not be taken back", "未能撤销"),
    Event.HALF_DONE: Text("half done", "只做了一半"),
    Event.FIXED: Text("fixed: the check no longer finds it", "已修复：检查不再发现该故障"),
    Event.NOT_FIXED: Text("not fixed", "未修复"),
    Event.AWAITING: Text("awaits a reboot", "等待重启"),
    Event.END: Text("end", "结束"),
}
NOTHING = Text("nothing to do", "无需改动")
PLAN = Text("plan {digest}, nothing is changed yet", "计划 {digest}，尚未做任何改动")
TEMPORARY = Text("temporary, until {day}", "临时改动，截止 {day}")
RUNBOOK = Text("a person has to do this:", "须由人执行：")
ROOT = Text("needs root", "需要 root")
APPROVAL = Text("needs approval", "需要审批")
NOT_PLANNED = Text("{fault}: no plan: {why}", "{fault}：无法生成计划：{why}")
NEXT = Text(
    "apply it: codeblue fix {faults}--apply    keep it for a sign-off: codeblue fix {faults}--plan plan.json",
    "执行：codeblue fix {faults}--apply    保存以待审批：codeblue fix {faults}--plan plan.json",
)
YOUR_REBOOT = Text(
    "reboot when the work on this machine allows it; the next codeblue check says whether it helped",
    "请在业务允许时重启机器；之后 codeblue check 会说明是否有效",
)
EMPTY = Text("codeblue has changed nothing here", "codeblue 没有在这里做过任何改动")
BY = Text("by {user}", "由 {user}")
APPROVED = Text("approved by {owner}", "由 {owner} 批准")
AT_WORK = Text("{program} (process {pid}) is still at work", "{program}（进程 {pid}）仍在运行")
EXPIRED = Text("ended on {day} and still stands", "已于 {day} 到期，但仍未撤销")


def lines(plan: Plan, refused: Sequence[tuple[str, Message]], lang: str) -> Iterator[tuple[str, str]]:
    """Yield the preview for a terminal, each line with its style."""
    if not plan.items and not refused:
        yield NOTHING.say(lang), "bold"
    for item in plan.items:
        yield from item_lines(item, lang)
    for fault, why in refused:
        yield NOT_PLANNED.say(lang, fault=fault, why=line(why.say(lang))), "yellow"
    if plan.items:
        yield "", ""
        yield PLAN.say(lang, digest=plan.digest[:12]), "dim"
        if plan.expires:
            yield TEMPORARY.say(lang, day=plan.expires), "dim"


def item_lines(item: PlanItem, lang: str) -> Iterator[tuple[str, str]]:
    """Yield one item of a preview."""
    traits = [RISKS[item.risk].say(lang)]
    if item.automation is Automation.APPROVAL:
        traits.append(APPROVAL.say(lang))
    if any(step.root for step in item.steps):
        traits.append(ROOT.say(lang))
    yield f"{item.fault} · {line(item.subject)}", "bold"
    yield f"  {line(item.summary.say(lang))} ({', '.join(traits)})", ""
    if item.automation is Automation.HUMAN:
        yield f"  {RUNBOOK.say(lang)}", "yellow"
    for number, step in enumerate(item.steps, start=1):
        yield from _step(number, step, lang)


def _step(number: int, step: PlannedStep, lang: str) -> Iterator[tuple[str, str]]:
    yield f"  {number}. {line(step.why.say(lang))}", ""
    typed = command(step)
    if typed is not None:
        yield f"     $ {line(typed)}", "cyan"
    for change in step.preview(lang):
        style = {"+": "green", "-": "red", "@": "cyan"}.get(change[:1], "dim")
        yield f"     {plain(change).rstrip()}", style
    if step.undo is not Undo.EXACT and step.risk is not Risk.HUMAN:
        yield f"     {words.UNDO[step.undo].say(lang)}", "dim"


def document(plan: Plan, refused: Sequence[tuple[str, Message]], lang: str) -> str:
    """Return the JSON document of a preview."""
    content = {
        "schema": plan.schema,
        "digest": plan.digest,
        "host": plan.host,
        "boot": plan.boot,
        "made": plan.made,
        "expires": plan.expires,
        "items": [item_row(item, lang) for item in plan.items],
        "refused": [{"fault": fault, "why": why.say(lang)} for fault, why in refused],
    }
    return _text(content)


def item_row(item: PlanItem, lang: str) -> dict[str, Any]:
    """Return one item of a preview for programs."""
    return {
        "fault": item.fault,
        "subject": item.subject,
        "summary": item.summary.say(lang),
        "automation": item.automation.value,
        "risk": item.risk.value,
        "steps": [
            {
                "verb": step.verb.value,
                "args": step.args,
                "why": step.why.say(lang),
                "risk": step.risk.value,
                "root": step.root,
                "undo": step.undo.value,
                "shows": step.preview(lang),
            }
            for step in item.steps
        ],
    }


def result_lines(fault: str, event: Event, why: Message | None, lang: str) -> Iterator[tuple[str, str]]:
    """Yield what came of one item."""
    style = {Event.FIXED: "bold green", Event.AWAITING: "bold yellow"}.get(event, "bold red")
    yield f"{fault}: {EVENTS[event].say(lang)}", style
    if why is not None:
        yield f"  {line(why.say(lang))}", ""
    if event is Event.AWAITING:
        yield f"  {YOUR_REBOOT.say(lang)}", ""


def undone_lines(
    fault: str, told: Sequence[tuple[Record, Message | None]], lang: str
) -> Iterator[tuple[str, str]]:
    """Yield what came of taking a run back."""
    yield fault, "bold"
    for record, why in told:
        what = " ".join([record.verb.value, *record.args.values()]) if record.verb else ""
        event = Event.BACK if why is None else Event.BACK_FAILED
        reason = f": {why.say(lang)}" if why else ""
        yield f"  {EVENTS[event].say(lang)}  {line(what + reason)}", "" if why is None else "red"


def journal_lines(
    records: Iterable[Record], at_work: Mapping[str, Record], today: str, lang: str
) -> Iterator[tuple[str, str]]:
    """Yield the journal for a terminal: runs with their steps, oldest first.

    ``at_work`` has the programs that outlived codeblue and still run, by the name of their run.
    """
    runs: dict[str, list[Record]] = {}
    for record in records:
        runs.setdefault(record.run, []).append(record)
    if not runs:
        yield EMPTY.say(lang), ""
    for name, events in runs.items():
        yield from _run(name, events, today, lang)
        if program := at_work.get(name):
            yield f"  {AT_WORK.say(lang, program=line(program.program), pid=program.pid)}", "yellow"


def _run(name: str, events: list[Record], today: str, lang: str) -> Iterator[tuple[str, str]]:
    begin = events[0]
    about = [begin.time, name, f"{begin.fault} · {begin.subject}", BY.say(lang, user=begin.user)]
    if begin.approved:
        about.append(APPROVED.say(lang, owner=begin.approved))
    yield line("  ".join(about)), "bold"
    for record in events[1:]:
        if record.event in (Event.INTENT, Event.RUNNING, Event.BACK_INTENT, Event.END):
            continue
        what = " ".join([record.verb.value, *record.args.values()]) if record.verb else ""
        note = record.note.say(lang) if record.note else ""
        said = line(f"{record.time} {EVENTS[record.event].say(lang)}  {what} {note}")
        yield f"  {said[:200]}", ""
    if begin.expires and begin.expires < today and _stands(events):
        yield f"  {EXPIRED.say(lang, day=begin.expires)}", "yellow"


def _stands(events: list[Record]) -> bool:
    last = {record.step: record.event for record in events if record.step >= 0}
    return any(event in (Event.DONE, Event.BACK_FAILED) for event in last.values())


def journal_document(records: Iterable[Record], lang: str) -> str:
    """Return the journal as JSON."""
    rows = []
    for record in records:
        row = to_builtins(record)
        row["note"] = record.note.say(lang) if record.note else None
        rows.append(row)
    return _text({"schema": "codeblue/journal/1", "records": rows})


def _text(content: dict[str, Any]) -> str:
    return json.format(json.encode(content), indent=2).decode() + "\n"
