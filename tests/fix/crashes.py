"""Kill every verb before each of its system calls, and let each of them fail; count what is found then."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from codeblue.model.plan import Args, Before, Refused
from codeblue.remedy.actions import Action
from tests.fix.cases import Case
from tests.fix.kept import NAME, Entry, Folder, tree
from tests.fix.traced import CHANGING, EVERY, traced

Tree = dict[str, Entry]
REFUSED = 10


class Count(Struct):
    """What was found after kills, or after errors, at every point."""

    points: int = 0
    old: int = 0
    new: int = 0
    between: int = 0
    """Of several files or directories some old, some new: undo has taken it back."""
    left: int = 0
    """Points after which a temporary file lay there, before the sweep."""


class Scene(Struct):
    """A verb, ready in a folder of its own."""

    place: Path
    keep: Folder
    action: Action
    args: Args
    before: Before
    old: Tree

    def apply(self) -> None:
        """Change the files."""
        self.action.apply(self.args, self.before, NAME, self.keep)

    def back(self) -> None:
        """Take it back."""
        self.action.back(self.args, self.before, NAME, self.keep)

    def without_temporaries(self) -> tuple[Tree, bool]:
        """Return the tree without temporary files, and whether there were any."""
        whole = tree(self.place)
        rest = {path: entry for path, entry in whole.items() if NAME not in path}
        return rest, len(rest) < len(whole)


def scene(case: Case, place: Path, keep: Folder) -> Scene:
    """Fill the folder anew and look at it."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    keep.clear()
    action, args = case(place)
    return Scene(place, keep, action, args, action.look(args).before, tree(place))


def applied(case: Case, place: Path, keep: Folder) -> Scene:
    """The same, with the verb applied."""
    made = scene(case, place, keep)
    made.apply()
    return made


Start = Callable[[], tuple[Scene, Callable[[], None]]]
"""Prepares the folder; returns it with the work to be disturbed."""


def starts(case: Case, place: Path, keep: Folder) -> dict[str, Start]:
    """Return both directions of a verb."""

    def forward() -> tuple[Scene, Callable[[], None]]:
        made = scene(case, place, keep)
        return made, made.apply

    def backward() -> tuple[Scene, Callable[[], None]]:
        made = applied(case, place, keep)
        return made, made.back

    return {"apply": forward, "back": backward}


def result(case: Case, place: Path, keep: Folder) -> Tree:
    """Return the tree as it is after the verb."""
    applied(case, place, keep)
    return tree(place)


def guarded(work: Callable[[], None]) -> Callable[[], None]:
    """A refusal ends the child with a code of its own; everything else that is raised ends it with 1."""

    def work_or_refusal() -> None:
        try:
            work()
        except Refused:
            os._exit(REFUSED)

    return work_or_refusal


def calls(start: Start, kinds: frozenset[str]) -> list[str]:
    """Return the system calls of one undisturbed run."""
    _, work = start()
    seen = traced(work, kinds)
    assert seen.code == 0
    return seen.calls


def killed(start: Start, new: Tree) -> Count:
    """Kill before each call and behind the last; assert that nothing is torn and that the way back works."""
    last = len(calls(start, CHANGING))
    count = Count(points=last + 1)
    for point in range(count.points):
        made, work = start()
        assert traced(work, CHANGING, kill=point).code == (None if point < last else 0)
        _judge(made, new, count, f"killed before call {point}")
    return count


def failed(start: Start, new: Tree, error: int, kinds: frozenset[str] = EVERY) -> Count:
    """Let each call fail; assert that it ends well or is refused, and that a refusal has changed nothing."""
    names = calls(start, kinds)
    count = Count(points=len(names))
    for point, name in enumerate(names):
        made, work = start()
        seen = traced(guarded(work), kinds, fail=point, error=error)
        where = f"call {point} ({name}) failed with {errno.errorcode[error]}"
        assert seen.code in (0, REFUSED), where
        _judge(made, new, count, where, tidy=True)
    return count


def _judge(made: Scene, new: Tree, count: Count, where: str, tidy: bool = False) -> None:
    found, left = made.without_temporaries()
    for path in found.keys() | made.old.keys() | new.keys():
        assert found.get(path) in (made.old.get(path), new.get(path)), f"{where}: {path} is torn"
    assert not (tidy and left), f"{where}: a temporary file is left"
    count.left += left
    made.action.sweep(made.args, NAME)
    assert tree(made.place) == found, f"{where}: the sweep has not swept, or too much"
    count.old += found == made.old
    count.new += found == new
    count.between += found not in (made.old, new)
    made.back()
    assert tree(made.place) == made.old, f"{where}: the way back is wrong"
