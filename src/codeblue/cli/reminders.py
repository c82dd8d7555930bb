"""What ``check`` reminds of: temporary changes whose day has passed, and changes that await a reboot."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from codeblue import patience, state
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.text import Message, message

if TYPE_CHECKING:
    from codeblue.remedy.journal import Run

MOST = 5
"""Reminders of one report; the journal has them all."""


def reminded(diagnosis: Diagnosis) -> Diagnosis:
    """Add what this user's journal says is still to be done on this host."""
    found = reminders(diagnosis)
    return structs.replace(diagnosis, notes=(*diagnosis.notes, *found)) if found else diagnosis


def reminders(diagnosis: Diagnosis) -> list[Message]:
    """Return what the journal says is still to be done; one that is missing or cannot be read says nothing.

    What the check says of a change that waited for a reboot is written into it, and nothing else.
    """
    path = state.journal()
    if not patience.answers(str(path.parent)) or not path.is_file():
        return []
    from codeblue.model.plan import Refused
    from codeblue.remedy.journal import Journal

    try:
        runs = Journal(path.parent).runs()
    except Refused:
        return []
    found = [*_after_boot(runs, path.parent, diagnosis), *_reminders(runs, date.today().isoformat())]
    if len(found) > MOST:
        more = message(
            "{count} more changes are to be looked at: codeblue journal",
            "另有 {count} 处改动需要处理：codeblue journal",
            count=len(found) - MOST,
        )
        found = [*found[:MOST], more]
    return found


def _after_boot(runs: "list[Run]", folder: Path, diagnosis: Diagnosis) -> Iterator[Message]:
    if not any(run.awaiting for run in runs):
        return
    from codeblue.cli import settling

    for run in settling.booted(runs):
        event = settling.verdict(run, diagnosis)
        if event is not None:
            settling.record(folder, run, event)
        yield settling.told(run, event)


def _reminders(runs: "list[Run]", today: str) -> Iterator[Message]:
    from codeblue.remedy import here

    for run in runs:
        if run.begin.host != here.host():
            continue
        if run.begin.expires and run.begin.expires < today and run.standing():
            yield message(
                "the temporary change for {fault} ended on {day} and still stands: codeblue undo {run}",
                "针对 {fault} 的临时改动已于 {day} 到期，但仍未撤销：codeblue undo {run}",
                fault=run.begin.fault,
                day=run.begin.expires,
                run=run.name,
            )
        if run.awaiting and run.begin.boot == here.boot():
            yield message(
                "the change for {fault} ({run}) awaits a reboot",
                "针对 {fault} 的改动（{run}）等待重启",
                fault=run.begin.fault,
                run=run.name,
            )
