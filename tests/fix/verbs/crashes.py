"""Kill a verb at each point, and see that somebody can finish what it began, and take it back."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codeblue.model.remedy import Verb
from tests.fix.verbs.machine import NAME, Answer, Here

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
    takes_back: bool = True
    outcomes: Counter[str] = field(default_factory=Counter)

    def ask(self, method: str, **more: Any) -> Answer:
        """Call a method of the verb."""
        return self.place.ask(self.verb, method, self.args, **more)

    def before(self) -> dict[str, str]:
        """Return what a plan would carry."""
        look = self.ask("look")["value"]
        assert look["needed"] and look["shows"]
        before: dict[str, str] = look["before"]
        return before


def straight(trial: Trial) -> int:
    """Apply, verify, apply twice, take back; return the number of points at which it could be killed."""
    old, before = trial.state(), trial.before()
    assert trial.state() == old, "looking changes nothing"
    assert trial.ask("verify")["value"] is False

    applied = trial.ask("apply", before=before)
    assert "value" in applied, applied
    assert trial.ask("verify")["value"] is True
    assert trial.state() != old

    trial.ask("sweep", name=NAME)
    if trial.takes_back:
        assert "value" in (back := trial.ask("back", before=applied["value"])), back
        assert trial.state() == old
    trial.reset()
    return len(applied["points"])


def everywhere(trial: Trial) -> str:
    """Kill it before each change, and before and after each program; return one row of the table."""
    count = straight(trial)
    for at in range(1, count + 1):
        _killed(trial, kill_at=at)
    for program, word in trial.programs:
        for moment in ("before", "after"):
            undone = trial.place.killing(program, word, moment)
            _killed(trial, undone)
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(trial.outcomes.items()))
    return f"{trial.verb.value:20} {sum(trial.outcomes.values()):3} killed: {told}"


def _killed(trial: Trial, undone: Callable[[], None] = lambda: None, **kill: int) -> None:
    trial.reset()
    old, before = trial.state(), trial.before()
    assert trial.ask("apply", before=before, **kill) == {}, "it was killed"
    undone()
    trial.ask("sweep", name=NAME)
    if trial.ask("verify")["value"]:
        trial.outcomes["done"] += 1
    else:
        trial.outcomes["not done" if trial.state() == old else "half done"] += 1
        for words in trial.ask("by_hand", before=before)["value"]:
            trial.place.run(words)
        assert trial.ask("verify")["value"], "finished by hand"
    if trial.takes_back:
        assert "value" in (back := trial.ask("back", before=before)), back
        assert trial.state() == old
    trial.reset()
