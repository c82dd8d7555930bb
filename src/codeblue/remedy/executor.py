"""Carry plans out and take them back: each event is in the journal before the next thing happens."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec import structs

from codeblue.model.journal import Event, Record
from codeblue.model.plan import Before, Look, Plan, PlanItem, PlannedStep, Refused
from codeblue.model.remedy import Risk, Undo, Verb
from codeblue.model.text import Message, message
from codeblue.remedy import here
from codeblue.remedy.actions import Action, Keep
from codeblue.remedy.journal import Journal, Run
from codeblue.remedy.outcome import because, outcome, told
from codeblue.remedy.planning import ground
from codeblue.remedy.run import Failed
from codeblue.remedy.started import Noted, noting


class Checked(NamedTuple):
    """What the same check says after a change."""

    remains: bool
    """The fault is still found on its subject."""
    broke: tuple[str, ...] = ()
    """Troubles that were not there before."""
    unseen: Message | None = None
    """Why the check could not look; then nothing shows that the change helped."""


class Result(NamedTuple):
    """What came of one item."""

    item: PlanItem
    event: Event
    """FIXED, NOT_FIXED, AWAITING or FAILED."""
    why: Message | None = None
    left: tuple[tuple[Record, Message], ...] = ()
    """Steps that stand although they should have been taken back, with the reason."""


Check = Callable[[PlanItem], Checked]


class Executor:
    """Applies items one by one, and takes one back that does not help."""

    def __init__(self, journal: Journal, keep: Keep, actions: Mapping[Verb, Action]) -> None:
        self._journal = journal
        self._keep = keep
        self._actions = actions

    def apply(
        self,
        plan: Plan,
        item: PlanItem,
        run: str,
        approved: str,
        check: Check,
        behind: Sequence[PlanItem] = (),
    ) -> Result:
        """Carry out one item, check it, and take it back if the fault remains or something new broke.

        ``behind`` are the items of the plan that were carried out before it: what they have changed is no
        reason to refuse. Raises Refused, with nothing changed, if anything else is not as in the preview.
        """
        earlier = [step for one in behind for step in one.steps]
        self._unchanged(item, earlier)
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
        failed = self._steps(item, run, earlier)
        if failed is not None:
            return self._taken_back(item, run, Event.FAILED, failed)
        if item.risk is Risk.REBOOT:
            self._say(run, Event.AWAITING)
            self._end(run)
            return Result(item, Event.AWAITING)
        return self._checked(item, run, check(item))

    def _unchanged(self, item: PlanItem, earlier: Sequence[PlannedStep]) -> None:
        """Raise Refused if something is not as it was when the plan was made, or as ``earlier`` left it."""
        for step in item.steps:
            look = self._actions[step.verb].look(step.args)
            if look.before != step.before and not (_behind(step, earlier) and _shown(look, step)):
                raise Refused(
                    message(
                        "{fault}: {verb} {what} is not as it was in the preview; make a new plan",
                        "{fault}：{verb} {what} 与预览时不同；请重新生成计划",
                        fault=item.fault,
                        verb=step.verb.value,
                        what=" ".join(step.args.values())[:80],
                    )
                )

    def _steps(self, item: PlanItem, run: str, earlier: Sequence[PlannedStep]) -> Message | None:
        """Carry out the steps; return why one of them failed."""
        for number, step in enumerate(item.steps):
            if step.verb is Verb.REBOOT:  # a person's, once everything before it is done
                continue
            try:
                before = self._now(step, [*earlier, *item.steps[:number]])
            except (Refused, OSError) as error:
                return _reason(error)
            if before is None:
                continue
            record = structs.replace(_record(run, number, step), before=before)
            self._journal.add(record)
            why = self._step(record)
            if why is not None:
                return why
        return None

    def _now(self, step: PlannedStep, earlier: Sequence[PlannedStep]) -> Before | None:
        """Return what a step finds; it differs from the preview where a step before it works on the same.

        None if that step has done it already.
        """
        if not _behind(step, earlier):
            return step.before
        look = self._actions[step.verb].look(step.args)
        return look.before if look.needed else None

    def _step(self, record: Record) -> Message | None:
        """Carry out one step whose intent is in the journal; return why it failed."""
        assert record.verb is not None
        action = self._actions[record.verb]
        name = _name(record.run, record.step)
        try:
            with noting(self._noted(record.run)):
                before = action.apply(record.args, record.before, name, self._keep)
        except Refused as refused:
            self._journal.add(structs.replace(record, event=Event.FAILED, note=refused.line))
            return refused.line
        except OSError as error:
            # A program that did not end well may have changed a part.
            event, text = outcome(action, record, name, self._keep)
            why = _reason(error) if event is Event.FAILED else because(text, _reason(error))
            self._journal.add(structs.replace(record, event=event, note=why))
            return why
        self._journal.add(structs.replace(record, event=Event.DONE, before=before))
        return (
            None
            if self._as_wanted(action, record)
            else told(
                "{verb} {what} was done, but the machine is not as wanted",
                "已执行 {verb} {what}，但机器状态不符合预期",
                record,
            )
        )

    def _as_wanted(self, action: Action, record: Record) -> bool:
        try:
            return action.verify(record.args)
        except (Refused, OSError):
            return False

    def _checked(self, item: PlanItem, run: str, after: Checked) -> Result:
        if not after.remains and not after.broke:
            self._say(run, Event.FIXED)
            self._end(run)
            return Result(item, Event.FIXED)
        return self._taken_back(item, run, Event.NOT_FIXED, _in_vain(after))

    def _taken_back(self, item: PlanItem, run: str, event: Event, why: Message) -> Result:
        current = self._run(run)
        left = tuple((done, stuck) for done, stuck in self.back(current) if stuck is not None)
        self._say(run, event, why)
        self._end(run)
        return Result(item, event, why, left)

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
                with noting(self._noted(run.name)):
                    self._actions[done.verb].back(done.args, done.before, name, self._keep)
            except (Refused, OSError) as error:
                why = _reason(error)
            event = Event.BACK if why is None else Event.BACK_FAILED
            self._journal.add(structs.replace(intent, event=event, note=why))
            yield done, why

    def recover(self) -> list[tuple[Run, Record, Message]]:
        """Look at runs that were interrupted, tell what became of their steps, and restore what can be.

        Only to be called under the lock: a run without an end is then nobody's any more. Those of other hosts
        that share the folder are left to them. Raises Refused while a program that such a run has started is
        still at work: what it makes of the machine nobody knows before it has ended.
        """
        open_ = [run for run in self._journal.runs() if not run.ended and run.begin.host == here.host()]
        for run in open_:
            if (program := run.at_work()) is not None:
                raise _still(run, program)
        found = []
        for run in open_:
            for step in run.steps():
                last = run.last_of(step)
                if last.event in (Event.INTENT, Event.BACK_INTENT):
                    found.append((run, last, self._mended(run, last)))
            found += self._restored(self._run(run.name))
            self._end(run.name)
        return found

    def _mended(self, run: Run, last: Record) -> Message:
        """Find out how far an interrupted step got, and say so."""
        assert last.verb is not None
        event, text = outcome(self._actions[last.verb], last, _name(run.name, last.step), self._keep)
        self._journal.add(structs.replace(last, event=event, note=text))
        return text

    def _restored(self, run: Run) -> list[tuple[Run, Record, Message]]:
        """Take back the done steps of an interrupted run: half a remedy is none, and so is half an undo."""
        if run.stands and not run.going_back:
            return []
        found = []
        for done, why in self.back(run):
            text = (
                told("{verb} {what}: taken back", "{verb} {what}：已撤销", done)
                if why is None
                else because(
                    told("{verb} {what}: could not be taken back", "{verb} {what}：无法撤销", done), why
                )
            )
            found.append((run, done, text))
        return found

    def undo(self, run: Run) -> list[tuple[Record, Message | None]]:
        """Take a run back; return each step with why it could not be, None where it was."""
        steps = list(self.back(run))
        self._end(run.name)
        return steps

    def settle(self, run: str, event: Event) -> None:
        """Record whether a change that waited for a reboot has helped; it stands in either case."""
        self._say(run, event)
        self._end(run)

    def _noted(self, run: str) -> Noted:
        def noted(program: str, pid: int, started: int) -> None:
            self._journal.add(
                Record(
                    time="",
                    run=run,
                    event=Event.RUNNING,
                    boot=here.boot(),
                    program=program,
                    pid=pid,
                    started=started,
                )
            )

        return noted

    def _run(self, name: str) -> Run:
        return next(one for one in self._journal.runs() if one.name == name)

    def _end(self, name: str) -> None:
        """Delete what steps without a way back have put aside, and close the run."""
        for done in self._run(name).standing():
            if done.undo is Undo.NONE and done.verb is not None:
                with suppress(Refused, OSError):
                    self._actions[done.verb].sweep(done.args, _name(name, done.step))
        self._say(name, Event.END)

    def _say(self, run: str, event: Event, note: Message | None = None) -> None:
        self._journal.add(Record(time="", run=run, event=event, note=note))


AROUND = ("@@", " ")
"""Beginnings of lines of a unified diff that change nothing."""

NO_WAY_BACK = message("this verb has no way back", "该操作无法撤销")


def _still(run: Run, program: Record) -> Refused:
    return Refused(
        message(
            "the interrupted run {run} ({fault}) has left {program} at work (process {pid}): "
            "wait until it has ended, and try again",
            "被中断的执行 {run}（{fault}）留下的 {program} 仍在运行（进程 {pid}）：请等它结束后再试",
            run=run.name,
            fault=run.begin.fault,
            program=program.program,
            pid=program.pid,
        )
    )


def _behind(step: PlannedStep, earlier: Sequence[PlannedStep]) -> bool:
    """Return whether one of the steps before it works on the same."""
    return any(ground(step) & ground(one) for one in earlier)


def _shown(look: Look, step: PlannedStep) -> bool:
    """Return whether the preview showed all that a step would change now; lines around it do not count."""
    changed = {line for line in look.shows if not line.startswith(AROUND)}
    return changed <= set(step.shows) and all(told in step.tells for told in look.tells)


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


def _in_vain(after: Checked) -> Message:
    if after.unseen is not None:
        return because(message("the check could not look", "检查无法进行"), after.unseen)
    if after.broke:
        return message(
            "the change brought new trouble: {names}",
            "改动带来了新的故障：{names}",
            names=", ".join(after.broke),
        )
    return message("the check still finds the fault", "检查仍然发现该故障")


def _reason(error: Refused | OSError) -> Message:
    if isinstance(error, Refused | Failed):
        return error.line
    return message(
        "{path}: {why}", "{path}：{why}", path=error.filename or "", why=error.strerror or str(error)
    )


def undoable(runs: Sequence[Run], wanted: str | None) -> Run:
    """Return the run to take back: the one that is named by itself or by its fault, else the last.

    Raises Refused if there is none on this host.
    """
    standing = [run for run in runs if run.standing() and run.begin.host == here.host()]
    if wanted is None:
        # What has no way back must not hide the changes before it; by its name it is still told so.
        found = [run for run in standing if any(step.undo is not Undo.NONE for step in run.standing())]
    else:
        found = [run for run in standing if wanted in (run.name, run.begin.fault)]
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
