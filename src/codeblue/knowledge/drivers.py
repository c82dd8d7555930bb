"""What a driver runs: NVIDIA's rules of driver compatibility over the table of branches.

A driver runs programs of every CUDA up to its own, and of newer ones of the same major from the
minimum of minor-version compatibility on. Source: NVIDIA, "CUDA compatibility", and the rows.
"""

from enum import Enum
from typing import Any

from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import branch, older, parts


class Reach(str, Enum):
    """How far a driver carries a CUDA version."""

    OWN = "own"
    """The driver's own CUDA is as new."""
    MINOR = "minor"
    """By minor-version compatibility: no PTX of a newer toolkit, no features of a newer driver."""
    MINOR_FROM = "minor-from"
    """By minor-version compatibility, but only from a certain release of the branch on."""
    TOO_OLD = "too-old"
    UNKNOWN = "unknown"


def branch_row(driver: str) -> dict[str, Any] | None:
    """Return the row of the driver's branch; None if the table has no such branch."""
    return by_key("drivers", "branch").get(branch(driver))


def cuda_of(driver: str) -> str | None:
    """Return the CUDA version that the driver brings, at least; None for branches before the table.

    A branch between two rows, or after the last, has at least the CUDA of the one before it.
    """
    known = by_key("drivers", "branch")
    before = [number for number in known if number <= branch(driver)]
    return str(known[max(before)]["cuda_max"]) if before else None


def oldest_cuda() -> str:
    """Return the CUDA version of the oldest branch of the table; drivers before it bring an older one."""
    known = by_key("drivers", "branch")
    return str(known[min(known)]["cuda_max"])


def minimum(cuda: str) -> str | None:
    """Return the oldest driver for minor-version compatibility; None if there is none, or nobody knows."""
    row = by_key("cuda_toolkits", "version").get(cuda)
    found: str | None = row["driver_min_minor_compat"] if row else None
    return found


def reach(driver: str, cuda: str) -> Reach:
    """Return how far the driver, a release or a whole branch, carries this CUDA version (``12.8``)."""
    own = cuda_of(driver)
    if own is not None and not older(own, cuda):
        return Reach.OWN
    floor = minimum(cuda)
    if floor is None:
        return _without_floor(driver, cuda)
    if not older(driver, floor):
        return Reach.MINOR
    if len(parts(driver)) == 1 and branch(driver) == branch(floor):
        return Reach.MINOR_FROM
    return Reach.TOO_OLD


def newest_for(driver: str) -> str | None:
    """Return the newest CUDA that the driver runs, by minor-version compatibility too."""
    known = [
        cuda for cuda in by_key("cuda_toolkits", "version") if reach(driver, cuda) in (Reach.OWN, Reach.MINOR)
    ]
    return max(known, key=parts, default=None)


def _without_floor(driver: str, cuda: str) -> Reach:
    """Judge a toolkit without minor-version compatibility (before 11), or one that no table has."""
    known = by_key("cuda_toolkits", "version")
    major = parts(cuda)[0]
    if cuda in known:
        return Reach.TOO_OLD if branch_row(driver) or _before_all(driver) else Reach.UNKNOWN
    floors = [row["driver_min_minor_compat"] for row in known.values() if parts(row["version"])[0] == major]
    lowest = min((floor for floor in floors if floor), key=parts, default=None)
    if lowest is not None and older(driver, lowest) and len(parts(driver)) > 1:
        return Reach.TOO_OLD
    return Reach.UNKNOWN


def _before_all(driver: str) -> bool:
    return branch(driver) < int(min(by_key("drivers", "branch")))


def base_of_compat(driver: str, cuda: str) -> bool | None:
    """Return whether cuda-compat of this CUDA supports the driver's branch; None if nobody looked."""
    row = by_key("cuda_toolkits", "version").get(cuda)
    bases: list[int] | None = row["compat_base_branches"] if row else None
    return None if bases is None else branch(driver) in bases
