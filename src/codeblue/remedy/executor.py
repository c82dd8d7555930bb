"""Carry plans out and take them back: each event is in the journal before the next thing happens."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import structs

from codeblue.model.journal import Event, Record
from codeblue.model.plan import Plan, PlanItem, PlannedStep, Refused
from codeblue.model.remedy import Automation, Risk, Undo, Verb
from codeblue.model.text import Message, message
from codeblue.remedy import here
from codeblue.remedy.actions import Action, Keep
from codeblue.remedy.journal import Journal, Run
from codeblue.remedy.run import Failed


class Checked(NamedTuple):
    """What the same check says after a change."""

    remains: bool
    """The fault is still found on its subject."""
    broke: tuple[str, ...] = ()
    """Troubles that were not there before."""


class Result(NamedTuple):
    """What came of one item."""

    item: PlanItem
    event: Event
    """FIXED, NOT_FIXED, AWAITING or FAILED."""
    why: Message | None = None


Check = Callable[[PlanItem], Checked]


class Executor:
    """Applies items one by one, and takes one back that does not help."""

    def __init__(self, journal: Journal, keep: Keep, actions: Mapping[Verb, Action]) -> None:
        self._journal = journal
        self._keep = keep
        self._actions = actions

    def apply(self, plan: Plan, item: PlanItem, run: str, approved: str, check: Check) -> Result:
        """Carry out one item, check it, and take it back if the fault remains or something new broke."""
        self._unchanged(item)
        begin = Record(
            time="",
            run=run,
            event=Event.BEGIN,
            host=here.host(),
            boot=here.boot(),
            user=here.user(),
            plan=plan.digest,
            fault=item.fault,
            subject=item.subject,
            expires=plan.expires,
            approved=approved,
            note=item.summary,
        )
        self._journal.add(begin)
        failed = self._steps(item, run)
        if failed is not None:
            return self._taken_back(item, run, Event.FAILED, failed)
        if item.risk is Risk.REBOOT:
            self._say(run, Event.AWAITING)
            self._say(run, Event.END)
            return Result(item, Event.AWAITING)
        return self._checked(item, run, check(item))

    def _unchanged(self, item: PlanItem) -> None:
        """Raise Refused if something is not as it was when the plan was made."""
        for step in item.steps:
            look = self._actions[step.verb].look(step.args)
            if look.before != step.before:
                raise Refused(
                    message(
                        "{fault}: {verb} {what} is not as it was in the preview; make a new plan",
                        "{fault}：{verb} {what} 与预览时不同；请重新生成计划",
                        fault=item.fault,
                        verb=step.verb.value,
                        what=" ".join(step.args.values())[:80],
                    )
                )

    def _steps(self, item: PlanItem, run: str) -> Message | None:
        """Carry out the steps; return why one of them failed."""
        for number, step in enumerate(item.steps):
            record = _record(run, number, step)
            self._journal.add(record)
            action = self._actions[step.verb]
            try:
                before = action.apply(step.args, step.before, _name(run, number), self._keep)
            except (Refused, OSError) as error:
                why = _reason(error)
                self._journal.add(structs.replace(record, event=Event.FAILED, note=why))
                return why
            self._journal.add(structs.replace(record, event=Event.DONE, before=before))
            if not action.verify(step.args):
                return message(
                    "{verb} {what} was done, but the machine is not as wanted",
                    "已执行 {verb} {what}，但机器状态不符合预期",
                    verb=step.verb.value,
                    what=" ".join(step.args.values())[:80],
                )
        return None

    def _checked(self, item: PlanItem, run: str, after: Checked) -> Result:
        if not after.remains and not after.broke:
            self._say(run, Event.FIXED)
            self._say(run, Event.END)
            return Result(item, Event.FIXED)
        why = (
            message(
                "the change brought new trouble: {names}",
                "改动带来了新的故障：{names}",
                names=", ".join(after.broke),
            )
            if after.broke
            else message("the check still finds the fault", "检查仍然发现该故障")
        )
        return self._taken_back(item, run, Event.NOT_FIXED, why)

    def _taken_back(self, item: PlanItem, run: str, event: Event, why: Message) -> Result:
        current = next(one for one in self._journal.runs() if one.name == run)
        list(self.back(current))
        self._say(run, Event.NOT_FIXED if event is Event.NOT_FIXED else Event.FAILED, why)
        self._say(run, Event.END)
        return Result(item, event, why)

    def back(self, run: Run) -> Iterator[tuple[Record, Message | None]]:
        """Take the standing steps of a run back, the last first; yield each with why it could not be."""
        for done in reversed(run.standing()):
            intent = structs.replace(done, event=Event.BACK_INTENT, note=None)
            if done.undo is Undo.NONE or done.verb is None:
                yield done, NO_WAY_BACK
                continue
            self._journal.add(intent)
            why: Message | None = None
            try:
                name = _name(run.name, done.step)
                self._actions[done.verb].back(done.args, done.before, name, self._keep)
            except (Refused, OSError) as error:
                why = _reason(error)
            event = Event.BACK if why is None else Event.BACK_FAILED
            self._journal.add(structs.replace(intent, event=event, note=why))
            yield done, why

    def recover(self) -> list[tuple[Run, Record, Message]]:
        """Look at runs that were interrupted, tell what became of their steps, and restore what can be.

        Only to be called under the lock: a run without an end is then nobody's any more.
        """
        told = []
        for run in self._journal.runs():
            if run.ended:
                continue
            for step in run.steps():
                last = run.last_of(step)
                if last.event in (Event.INTENT, Event.BACK_INTENT):
                    told.append((run, last, self._mended(run, last)))
            told += self._restored(next(one for one in self._journal.runs() if one.name == run.name))
            self._say(run.name, Event.END)
        return told

    def _mended(self, run: Run, last: Record) -> Message:
        """Find out how far an interrupted step got, sweep behind it, and say so."""
        assert last.verb is not None
        action = self._actions[last.verb]
        with suppress(Refused, OSError):
            action.sweep(last.args, _name(run.name, last.step))
        values = {"verb": last.verb.value, "what": " ".join(last.args.values())[:80]}
        state = self._state(action, last)
        going_back = last.event is Event.BACK_INTENT
        if state == "before":
            event = Event.BACK if going_back else Event.FAILED
            text = message("{verb} {what}: was not done", "{verb} {what}：没有执行", **values)
        elif state == "wanted" and last.undo is not Undo.NONE and last.before:
            event = Event.BACK_FAILED if going_back else Event.DONE
            text = message("{verb} {what}: was done", "{verb} {what}：已经执行", **values)
        else:
            event = Event.HALF_DONE
            hand = " ; ".join(" ".join(words) for words in action.by_hand(last.args, last.before)) or "-"
            text = message(
                "{verb} {what}: may be half done; by hand: {hand}",
                "{verb} {what}：可能只做了一半；手动执行：{hand}",
                **values,
                hand=hand,
            )
        self._journal.add(structs.replace(last, event=event, note=text))
        return text

    def _state(self, action: Action, last: Record) -> str:
        """Return ``before``, ``wanted`` or ``other``, of what the step was about to change."""
        try:
            look = action.look(last.args)
        except (Refused, OSError):
            return "other"
        if not look.needed:
            return "wanted"
        return "before" if look.before == last.before else "other"

    def _restored(self, run: Run) -> list[tuple[Run, Record, Message]]:
        """Take back the done steps of an interrupted run: half a remedy is none, and so is half an undo."""
        if run.settled in (Event.FIXED, Event.AWAITING) and not run.going_back:
            return []
        found = []
        for done, why in self.back(run):
            assert done.verb is not None
            values = {"verb": done.verb.value, "what": " ".join(done.args.values())[:80]}
            text = (
                message("{verb} {what}: taken back", "{verb} {what}：已撤销", **values)
                if why is None
                else message(
                    "{verb} {what}: could not be taken back: {why}",
                    "{verb} {what}：无法撤销：{why}",
                    **values,
                    why=why.say("en"),
                )
            )
            found.append((run, done, text))
        return found

    def undo(self, run: Run) -> list[tuple[Record, Message | None]]:
        """Take a run back; return each step with why it could not be, None where it was."""
        told = list(self.back(run))
        self._say(run.name, Event.END)
        return told

    def after_boot(self, run: Run, check: Check) -> Event:
        """Say whether a change that waited for a reboot has helped; it stands in either case."""
        remains = check(
            PlanItem(
                fault=run.begin.fault,
                subject=run.begin.subject,
                summary=run.begin.note or NO_WAY_BACK,
                automation=Automation.HUMAN,
                steps=(),
            )
        ).remains
        event = Event.NOT_FIXED if remains else Event.FIXED
        self._say(run.name, event)
        self._say(run.name, Event.END)
        return event

    def _say(self, run: str, event: Event, note: Message | None = None) -> None:
        self._journal.add(Record(time="", run=run, event=event, note=note))


NO_WAY_BACK = message("this verb has no way back", "该操作无法撤销")


def _record(run: str, number: int, step: PlannedStep) -> Record:
    return Record(
        time="",
        run=run,
        event=Event.INTENT,
        step=number,
        verb=step.verb,
        args=step.args,
        before=step.before,
        undo=step.undo,
    )


def _name(run: str, step: int) -> str:
    return f"codeblue-{run}-{step}"


def _reason(error: Refused | OSError) -> Message:
    if isinstance(error, Refused | Failed):
        return error.line
    return message(
        "{path}: {why}", "{path}：{why}", path=error.filename or "", why=error.strerror or str(error)
    )


def undoable(runs: Sequence[Run], wanted: str | None) -> Run:
    """Return the run to take back: the one that is named by itself or by its fault, else the last.

    Raises Refused if there is none.
    """
    standing = [run for run in runs if run.standing()]
    found = [run for run in standing if wanted in (None, run.name, run.begin.fault)]
    if found:
        return found[-1]
    if wanted is None:
        raise Refused(message("nothing that codeblue changed is left to take back", "没有可撤销的改动"))
    raise Refused(
        message(
            "{wanted}: no change of that name is left to take back; codeblue journal lists them",
            "{wanted}：没有以此为名的可撤销改动；codeblue journal 可列出全部",
            wanted=wanted,
        )
    )
