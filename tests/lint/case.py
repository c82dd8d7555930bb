"""How a case is written: a file with marks where findings are expected."""

import re
from textwrap import dedent
from typing import NamedTuple

from codeblue.lint.run import Against, Judged, judge
from codeblue.model.config.place import Source
from codeblue.sources.config.kinds import kind_of

MARK = re.compile("[«»]")


ALONE = Against()


class Case(NamedTuple):
    """One file and what is expected of it."""

    fault: str
    name: str
    """Name of the file, which also tells its kind."""
    text: str
    places: tuple[tuple[int, int], ...]
    """Line and column of each expected finding of the fault; none if it stays clear."""
    fixed: str | None
    """The whole file with the fixes; None if there is no fix."""
    also: tuple[str, ...]
    """Other faults that the same file has."""
    against: Against


def fires(
    fault: str,
    name: str,
    text: str,
    *,
    fixed: str | None = None,
    also: tuple[str, ...] = (),
    on: Against = ALONE,
) -> Case:
    """Return a case whose findings begin where ``«`` stands in the text; ``»`` may close a mark."""
    text = dedent(text).lstrip("\n")
    places: list[tuple[int, int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        column = 1
        for piece in re.split("([«»])", line):
            if piece == "«":
                places.append((number, column))
            elif piece != "»":
                column += len(piece)
    assert places, "mark the place of the finding with « and »"
    whole = dedent(fixed).lstrip("\n") if fixed is not None else None
    return Case(fault, name, MARK.sub("", text), tuple(places), whole, also, on)


def clear(fault: str, name: str, text: str, *, also: tuple[str, ...] = (), on: Against = ALONE) -> Case:
    """Return a case in which the fault is not found."""
    return Case(fault, name, dedent(text).lstrip("\n"), (), None, also, on)


def judged(case: Case) -> Judged:
    """Return what the rules say of the case."""
    source = Source(case.name, case.text)
    kind = kind_of(source)
    assert kind is not None, f"{case.name}: of no known kind"
    return judge(source, kind, case.against)
