"""Kill a verb at each point, and see that somebody can finish what it began, and take it back."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codeblue.model.remedy import Verb
from tests.fix.verbs.machine import Answer, Here

Programs = Sequence[tuple[str, str]]


@dataclass
class Trial:
    """One verb with its arguments on one machine."""

    place: Here
    verb: Verb
    args: Mapping[str, str]
    state: Callable[[], Any]
    """What the verb changes, to be compared."""
    reset: Callable[[], object]
    """Brings the machine back to where it was, without the verb."""
    programs: Programs = ()
    """Programs that change something, with a word that tells these calls from those that look."""
    looks: Sequence[str] = ()
    """Words of programs that only look: to be killed before them is to be killed before the next point."""
    takes_back: bool = True
    outcomes: Counter[str] = field(default_factory=Counter)

    def ask(self, method: str, **more: Any) -> Answer:
        """Call a method of the verb."""
        return self.place.ask(self.verb, method, self.args, **more)

    def calls(self, *methods: str, **more: Any) -> list[Answer]:
        """Call methods of the verb in one process."""
        return self.place.calls(self.verb, methods, self.args, **more)

    def before(self) -> dict[str, str]:
        """Return what a plan would carry."""
        look = self.ask("look")["value"]
        assert look["needed"] and look["shows"]
        before: dict[str, str] = look["before"]
        return before


def straight(trial: Trial) -> list[str]:
    """Apply, verify, take back; return the points at which it could be killed."""
    old = trial.state()
    looked, unverified = trial.calls("look", "verify")
    assert looked["value"]["needed"] and looked["value"]["shows"] and unverified["value"] is False
    assert trial.state() == old, "looking changes nothing"

    _, applied, verified, _ = trial.calls("look", "apply", "verify", "sweep")
    assert "value" in applied and verified["value"] is True, (applied, verified)
    assert trial.state() != old
    if trial.takes_back:
        assert "value" in (back := trial.ask("back", before=applied["value"])), back
        assert trial.state() == old
    trial.reset()
    points: list[str] = applied["points"]
    return points


def everywhere(trial: Trial) -> str:
    """Kill it before each change, and before and after each program; return one row of the table."""
    for at, point in enumerate(straight(trial), 1):
        if not any(word in point.split() for word in trial.looks):
            _killed(trial, kill_at=at)
    for program, word in trial.programs:
        for moment in ("before", "after"):
            _killed(trial, (program, word, moment))
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(trial.outcomes.items()))
    return f"{trial.verb.value:20} {sum(trial.outcomes.values()):3} killed: {told}"


def _killed(trial: Trial, by: tuple[str, str, str] | None = None, **kill: int) -> None:
    old = trial.state()
    undone = trial.place.killing(*by) if by else None
    [looked] = trial.calls("look", "apply", **kill)  # no second answer: it was killed
    if undone:
        undone()
    half = trial.state() != old
    before = looked["value"]["before"]
    swept, done, finished, verified = trial.calls("sweep", "verify", "finish", "verify", before=before)
    assert "value" in swept and "value" in finished and verified["value"], (looked, finished, verified)
    trial.outcomes["done" if done["value"] else "half done" if half else "not done"] += 1
    if trial.takes_back:
        assert "value" in (back := trial.ask("back", before=before)), back
        assert trial.state() == old
    trial.reset()
