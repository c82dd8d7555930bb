"""Which GPU a part of a combination means; what several models of one name share."""

from functools import cache
from typing import Any, NamedTuple

from codeblue.knowledge.architectures import capability_named
from codeblue.knowledge.gpu_names import matching
from codeblue.knowledge.tables import by_key, table
from codeblue.matrix.cited import cited
from codeblue.model.combination import Part
from codeblue.model.judgement import Source


class Device(NamedTuple):
    """A GPU, or what the models of one name have in common."""

    name: str
    cc: str
    arch: str
    classes: frozenset[str]
    """``datacenter``, ``superchip``, ``workstation``, ``consumer``, ``jetson``; none for a capability."""
    min_cuda: str
    last_cuda: str | None
    first_branch: int | None
    """Oldest driver branch known to list one of the models; None if nobody looked."""
    last_branch: int | None
    """None as long as drivers are made for it."""
    modules: frozenset[str]
    """``required``, ``supported`` or ``unsupported``, of the open kernel modules; none if not known."""
    sources: tuple[Source, ...]


def device(part: Part) -> Device | None:
    """Return the GPU that is meant; None if no table knows it, or models of the name differ in capability."""
    return _named(part.value)


@cache
def _named(name: str) -> Device | None:
    capability = capability_named(name)
    if capability is not None:
        return _of_capability(capability)
    rows = matching(name)
    if not rows or len({row["cc"] for row in rows}) > 1:
        return None
    return _of_rows(name, rows)


def _of_rows(name: str, rows: list[dict[str, Any]]) -> Device:
    first = rows[0]
    branches = [row["min_driver_branch"] for row in rows if "min_driver_branch" not in row.get("low", ())]
    return Device(
        name=first["name"] if len(rows) == 1 else name,
        cc=first["cc"],
        arch=first["arch"],
        classes=frozenset(row["class"] for row in rows),
        min_cuda=first["min_cuda"],
        last_cuda=first["last_cuda"],
        first_branch=min((branch for branch in branches if branch), default=None),
        last_branch=first["last_driver_branch"],
        modules=frozenset(row["open_modules"] for row in rows if row["open_modules"]),
        sources=cited("gpus", first["name"], first),
    )


def _of_capability(capability: str) -> Device | None:
    row = next((one for one in table("gpus")["capabilities"] if one["cc"] == capability), None)
    if row is None:
        return None
    models = [one for one in by_key("gpus", "name").values() if one["cc"] == capability]
    return Device(
        name=capability,
        cc=capability,
        arch=row["arch"],
        classes=frozenset(),
        min_cuda=row["min_cuda"],
        last_cuda=row["last_cuda"],
        first_branch=None,
        last_branch=row["last_driver_branch"],
        modules=frozenset(one["open_modules"] for one in models if one["open_modules"]),
        sources=cited("gpus", f"capability {capability}", row),
    )
