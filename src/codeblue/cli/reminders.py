"""What ``check`` reminds of: temporary changes whose day has passed, and changes that await a reboot."""

from collections.abc import Iterator
from datetime import date
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
    """Add what this user's journal says is still to be done on this host.

    The journal is only read; one that is missing or cannot be read adds nothing.
    """
    path = state.journal()
    if not patience.answers(str(path.parent)) or not path.is_file():
        return diagnosis
    from codeblue.model.plan import Refused
    from codeblue.remedy.journal import Journal

    try:
        runs = Journal(path.parent).runs()
    except Refused:
        return diagnosis
    found = list(_reminders(runs, date.today().isoformat()))
    if len(found) > MOST:
        more = message(
            "{count} more changes are to be looked at: codeblue journal",
            "另有 {count} 处改动需要处理：codeblue journal",
            count=len(found) - MOST,
        )
        found = [*found[:MOST], more]
    return structs.replace(diagnosis, notes=(*diagnosis.notes, *found))


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
        if run.awaiting:
            yield _awaiting(run, run.begin.boot == here.boot())


def _awaiting(run: "Run", same_boot: bool) -> Message:
    if same_boot:
        return message(
            "the change for {fault} ({run}) awaits a reboot",
            "针对 {fault} 的改动（{run}）等待重启",
            fault=run.begin.fault,
            run=run.name,
        )
    return message(
        "the machine was rebooted after the change for {fault} ({run}): codeblue fix {fault} --apply says "
        "whether it helped",
        "机器在针对 {fault} 的改动（{run}）之后已重启：codeblue fix {fault} --apply 会说明是否有效",
        fault=run.begin.fault,
        run=run.name,
    )
