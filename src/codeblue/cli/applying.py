"""Carry a plan out: recover first, ask by risk, apply item by item, check after each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import NamedTuple

import click
from msgspec import structs

from codeblue.cli import fixing, settling, site
from codeblue.cli.again import Again
from codeblue.cli.language import LANG, say
from codeblue.cli.output import show
from codeblue.cli.permission import Granted, agreed, granted
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.journal import Event
from codeblue.model.plan import Plan, Refused
from codeblue.model.text import Message, message
from codeblue.remedy import approvals, retention, store
from codeblue.remedy.executor import Executor, Result
from codeblue.remedy.journal import Journal
from codeblue.remedy.registry import ACTIONS
from codeblue.report import plans
from codeblue.report.escape import line

NOT_IN_PLAN = message("the saved plan has nothing for it", "保存的计划中没有针对它的内容")
HELPED = (Event.FIXED, Event.AWAITING)


class Bench(NamedTuple):
    """What changes are made with."""

    journal: Journal
    executor: Executor
    kept: store.Kept


@contextmanager
def bench() -> Iterator[Bench]:
    """Hold the lock, with the journal at hand and interrupted runs recovered. Raises Refused."""
    folder = store.directory()
    store.prepare(folder)
    with store.alone(folder):
        journal, kept = Journal(folder), store.Kept(folder)
        executor = Executor(journal, kept, ACTIONS)
        kept.sweep()
        _recovered(executor)
        try:
            yield Bench(journal, executor, kept)
        except (KeyboardInterrupt, SystemExit):
            # Whoever stops it must not wait for the next codeblue to have the half taken back.
            _recovered(executor)
            raise


def _recovered(executor: Executor) -> None:
    for run, _, text in executor.recover():
        found = say("found an interrupted run", "发现一次被中断的执行")
        click.echo(f"codeblue: {found} {run.name} ({run.begin.fault}): {line(text.say(LANG))}", err=True)


def applying(
    faults: tuple[str, ...],
    where: fixing.Where,
    yes: bool,
    approval: tuple[str, ...],
    saved: str | None,
    expires: str | None,
) -> int:
    """Apply; return 0 if everything helped or nothing was to be done, 1 if something is left.

    Raises Refused or Unusable if nothing may be changed.
    """
    signed = [approvals.approval(path) for path in approval]
    kept_plan = approvals.saved(saved) if saved is not None else None
    fixing.changeable(where.target)
    with bench() as (journal, executor, kept):
        snapshot = fixing.fresh(where)
        diagnosis = fixing.diagnosed(snapshot, where)
        plan, refused = _plan(kept_plan, diagnosis, faults, expires)
        again = Again(where, diagnosis)
        _settle(journal, executor, diagnosis)
        show(plans.lines(plan, refused, LANG))
        rules = site.load(where.config).site
        chosen = agreed(granted(plan, rules, journal, signed, snapshot), yes)
        helped = 0
        for number, one in enumerate(chosen):
            result = _carried_out(executor, plan, chosen[:number], one, again)
            helped += result.event in HELPED
            show(plans.result_lines(one.item.fault, result.event, result.why, LANG))
            if result.left:
                show(plans.undone_lines(one.item.fault, result.left, LANG))
        retention.tidy(journal, kept, rules.fix.keep_days)
    return 1 if helped < len(plan.items) or refused else 0


def _carried_out(
    executor: Executor, plan: Plan, behind: Sequence[Granted], one: Granted, again: Again
) -> Result:
    """Carry one item out. Raises Refused only while nothing at all was changed."""
    try:
        return executor.apply(
            plan, one.item, token_hex(4), one.approved, again.check, [earlier.item for earlier in behind]
        )
    except Refused as refused:
        if not behind:
            raise
        return Result(one.item, Event.FAILED, refused.line)


def _plan(
    kept: Plan | None,
    diagnosis: Diagnosis,
    faults: tuple[str, ...],
    expires: str | None,
) -> tuple[Plan, tuple[tuple[str, Message], ...]]:
    if kept is not None:
        if not faults:
            return kept, ()
        # The digest stays: an approval is of the whole plan, also where a part of it is carried out.
        chosen = tuple(item for item in kept.items if item.fault in faults)
        there = {item.fault for item in chosen}
        lacking = tuple((fault, NOT_IN_PLAN) for fault in faults if fault not in there)
        return structs.replace(kept, items=chosen), lacking
    return fixing.plan_for(diagnosis, faults, expires)


def _settle(journal: Journal, executor: Executor, diagnosis: Diagnosis) -> None:
    """Say of changes that waited for a reboot whether they have helped."""
    for run in settling.booted(journal.runs()):
        event = settling.verdict(run, diagnosis)
        if event is not None:
            executor.settle(run.name, event)
        show([(settling.told(run, event).say(LANG), "green" if event is Event.FIXED else "yellow")])
