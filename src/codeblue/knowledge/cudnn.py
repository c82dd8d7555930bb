"""Which GPUs a cuDNN supports, by the support ranges of the table."""

from typing import Any, NamedTuple

from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older, parts


class Line(NamedTuple):
    """The range of GPUs that a line of releases supports."""

    first: str
    """Lowest compute capability."""
    last: str
    """Highest one that it was made for."""
    trusted: bool
    row: dict[str, Any]


def line_of(version: str) -> Line | None:
    """Return the line of a release; None if the table has none for it."""
    minor = ".".join(map(str, parts(version)[:2]))
    for row in table("cudnn")["lines"]:
        first, _, last = row["versions"].partition("-")
        if not older(minor, first) and not older(last or first, minor):
            # "3.5 (5.0 on CUDA 12)" names the lowest one first.
            low = row["cc_min"].partition(" ")[0]
            return Line(low, row["cc_max"], row["confidence"] == "verified", row)
    return None
