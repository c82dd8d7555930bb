"""What a check after the boot says of changes that waited for it."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from codeblue.cli import fixing
from codeblue.faults import index
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Kind
from codeblue.model.journal import Event
from codeblue.model.plan import Refused
from codeblue.model.text import Message, message
from codeblue.remedy import here, store
from codeblue.remedy.executor import Executor
from codeblue.remedy.journal import Journal, Run
from codeblue.remedy.registry import ACTIONS


def booted(runs: list[Run]) -> Iterator[Run]:
    """Yield the runs of this host that waited for a reboot, where one has happened."""
    for run in runs:
        if run.awaiting and run.begin.host == here.host() and run.begin.boot != here.boot():
            yield run


def verdict(run: Run, diagnosis: Diagnosis) -> Event | None:
    """Return FIXED or NOT_FIXED; None if this check did not judge the fault."""
    fault, subject = run.begin.fault, run.begin.subject
    found = {(one.fault, one.subject) for one in fixing.findings(diagnosis)}
    if (fault, subject) in found:
        return Event.NOT_FIXED
    open_ = {one.fault for one in (*diagnosis.skipped, *diagnosis.broken)}
    open_ |= {one.fault for one in diagnosis.waived}
    entry = index.entries().get(fault)
    # A risk may be one of the next boot, and those are judged only where they are asked for.
    unasked = entry is None or (entry.kind is Kind.RISK and diagnosis.after_boot is None)
    return None if fault in open_ or unasked else Event.FIXED


def told(run: Run, event: Event | None) -> Message:
    """Return the verdict as a line."""
    values = {"fault": run.begin.fault, "run": run.name}
    if event is Event.FIXED:
        return message(
            "the change for {fault} ({run}) has helped: after the reboot the check no longer finds it",
            "针对 {fault} 的改动（{run}）有效：重启之后检查不再发现该故障",
            **values,
        )
    if event is Event.NOT_FIXED:
        return message(
            "the change for {fault} ({run}) has not helped: after the reboot the check still finds it; "
            "the change stands: codeblue undo {run}",
            "针对 {fault} 的改动（{run}）无效：重启之后检查仍然发现该故障；改动仍在：codeblue undo {run}",
            **values,
        )
    return message(
        "the machine was rebooted after the change for {fault} ({run}); this check cannot tell whether it "
        "helped: codeblue fix {fault} --apply looks at everything",
        "机器在针对 {fault} 的改动（{run}）之后已重启，但这次检查无法判断是否有效："
        "codeblue fix {fault} --apply 会检查全部内容",
        **values,
    )


def record(folder: Path, run: Run, event: Event) -> None:
    """Write a verdict into the journal, unless another codeblue is at work there or has done so already."""
    with suppress(Refused, OSError), store.alone(folder):
        journal = Journal(folder)
        if any(one.name == run.name and one.awaiting for one in journal.runs()):
            Executor(journal, store.Kept(folder), ACTIONS).settle(run.name, event)
