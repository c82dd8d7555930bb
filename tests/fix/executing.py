"""Plans of real verbs on small trees, and the executor that carries them out."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from secrets import token_hex

from codeblue.model.journal import Event
from codeblue.model.plan import Plan, PlanItem
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import message
from codeblue.remedy.executor import Checked, Executor, Result
from codeblue.remedy.journal import Journal, Run
from codeblue.remedy.planning import plan
from codeblue.remedy.registry import ACTIONS
from codeblue.remedy.store import Kept, prepare

WHY = message("why", "原因")
HELPED = Checked(remains=False)
IN_VAIN = Checked(remains=True)

Wish = tuple[Verb, dict[str, str]]
Make = Callable[[Path], Wish]


class Bench:
    """An executor with its journal and before-images in a folder."""

    def __init__(self, folder: Path) -> None:
        prepare(folder)
        self.folder = folder
        self.journal = Journal(folder)
        self.kept = Kept(folder)
        self.executor = Executor(self.journal, self.kept, ACTIONS)

    def planned(self, wishes: Sequence[Wish], expires: str | None = None) -> tuple[Plan, PlanItem]:
        """Plan one item; nothing of it is refused."""
        steps = tuple(Step(verb, WHY, args) for verb, args in wishes)
        remedy = Remedy(WHY, steps, Automation.AUTOMATIC, Undo.EXACT)
        made, refused = plan([("some-fault", "host", remedy)], ACTIONS, str, "0", expires)
        assert not refused, refused[0][1].say("en")
        [item] = made.items
        return made, item

    def apply(self, wishes: Sequence[Wish], check: Checked = HELPED, expires: str | None = None) -> Result:
        """Plan one item and carry it out."""
        return self.carry_out(*self.planned(wishes, expires), check)

    def carry_out(self, made: Plan, item: PlanItem, check: Checked = HELPED) -> Result:
        """Carry one item of a plan out; ``check`` is what the check after it says."""
        return self.executor.apply(made, item, token_hex(4), "", lambda _: check)

    def last(self) -> Run:
        """Return the last run."""
        return self.journal.runs()[-1]

    def events(self) -> list[Event]:
        """Return the events of the last run."""
        return [record.event for record in self.last().records]


def filled(place: Path) -> Path:
    """Fill the folder with files whose modes and attributes are worth keeping."""
    place.mkdir(exist_ok=True)
    for name, text, mode in (
        ("settings.json", '{"a": 1}\n', 0o640),
        ("x.list", "old\n", 0o604),
        ("keys", "k\n", 0o666),
        ("torch.py", "x = 1\n", 0o600),
    ):
        (place / name).write_text(text, encoding="ascii")
        (place / name).chmod(mode)
    if os.geteuid() == 0:
        os.chown(place / "x.list", 1234, 2345)
    return place


def edit(place: Path) -> Wish:
    """Change a value of a JSON file."""
    path = str(place / "settings.json")
    return Verb.FILE_EDIT, {"path": path, "kind": "json", "at": "b", "value": '"c"'}


def write(place: Path) -> Wish:
    """Write a file over another."""
    return Verb.FILE_WRITE, {"path": str(place / "x.list"), "content": "new\n"}


def write_new(place: Path) -> Wish:
    """Make a file and two folders."""
    return Verb.FILE_WRITE, {"path": str(place / "a" / "b.d" / "y.list"), "content": "y\n"}


def mode(place: Path) -> Wish:
    """Change permission bits."""
    return Verb.FILE_MODE, {"path": str(place / "keys"), "mode": "0600"}


def rename(place: Path) -> Wish:
    """Move a file away."""
    return Verb.FILE_RENAME, {"path": str(place / "torch.py")}


def everything(place: Path) -> list[Wish]:
    """Return a wish for every kind of change."""
    return [edit(place), write(place), write_new(place), mode(place), rename(place)]
