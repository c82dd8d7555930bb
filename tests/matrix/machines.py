"""Machines and sets for the tests of the matrix, by what a user would write."""

from packaging.version import Version

from codeblue.knowledge.wheels import plain
from codeblue.matrix.solve.search import solve
from codeblue.matrix.solve.wishes import wishes
from codeblue.model.combination import Combination, Part
from codeblue.model.solution import Solution, Solutions


def have(*gpus: str, **parts: str) -> Combination:
    """Return a combination with these GPUs and parts."""
    named = {name: Part(value, f"--{name}") for name, value in parts.items()}
    return Combination(gpus=tuple(Part(gpu, "--gpu") for gpu in gpus)).having(named)


def solved(there: Combination, *want: str, keep: str = "", best: int = 3) -> Solutions:
    """Return the answer for what a user would write."""
    return solve(there, wishes(want), frozenset(filter(None, keep.split(","))), best)


def first(there: Combination, *want: str, keep: str = "") -> Solution:
    """Return the best set; there must be one."""
    found = solved(there, *want, keep=keep, best=1)
    assert found.best, [(one.tier, one.text.say("en")) for one in found.failed]
    return found.best[0]


def value(solution: Solution, name: str) -> str | None:
    """Return the value of one part of a set."""
    part = getattr(solution.combination, name)
    return part.value if part else None


def release_of(solution: Solution) -> Version:
    """Return the release of torch in a set."""
    torch = value(solution, "torch")
    assert torch is not None
    return Version(plain(torch))
