"""Earlier trials of a target: judge beside them, and keep the new one."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import MsgspecError, json, structs

from codeblue import state
from codeblue.diagnose.measures.history import compared, run_of
from codeblue.model.measure import Measure
from codeblue.model.snapshot import Snapshot
from codeblue.model.trial_run import TrialRun


def beside_earlier(snapshot: Snapshot, measures: Sequence[Measure]) -> Snapshot:
    """Return the snapshot with what earlier trials of its target measured."""
    machine = snapshot.machine
    assert machine is not None
    history = compared(run_of(machine, measures), measures, list(_kept(snapshot.target)))
    if history is None:
        return snapshot
    judged = structs.replace(machine, trial_history=history)
    views = [judged if view is machine else view for view in snapshot.views]
    return structs.replace(snapshot, views=views)


def keep(snapshot: Snapshot, measures: Sequence[Measure]) -> None:
    """Remember what this trial measured."""
    assert snapshot.machine is not None
    if measures:
        state.remember_trial(snapshot.target, json.encode(run_of(snapshot.machine, measures)))


def _kept(target: str) -> Iterator[TrialRun]:
    for line in state.trials(target):
        with suppress(MsgspecError):  # a line that a full disk has cut, or of another version
            yield json.decode(line, type=TrialRun)
