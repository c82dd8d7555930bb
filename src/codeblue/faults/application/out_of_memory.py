"""What PyTorch says when GPU memory ran out, as numbers."""

import re
from collections.abc import Callable

from msgspec import Struct

from codeblue.model.facts import Sighting, Sightings

FAULT = "gpu-memory-exhausted"
UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SIZE = re.compile(r"([0-9.]+) (bytes|KiB|MiB|GiB)")
OTHER = re.compile(r"Process (\d+) has ([0-9.]+ \w+) memory in use")
OWN = re.compile(r"this process has ([0-9.]+ \w+) memory in use")
ALLOWED = re.compile(r"([0-9.]+ \w+) allowed; ")


class Shortage(Struct, frozen=True, kw_only=True):
    """One refused allocation. Sizes are bytes; None where the line does not say."""

    seen_at: int
    """Position in ``sightings.seen``."""
    gpu: str
    tried: int
    free: int
    own: int | None
    others: dict[str, int]
    """Memory of the other processes on that GPU, by process number."""
    total: int
    unnamed: int
    """Memory in use that PyTorch does not account for, where the line lists no processes."""
    allowed: int | None
    """The share that the process may use, if it has set itself one."""
    idle: int | None
    """Reserved by PyTorch's allocator but not allocated."""


def shortages(sightings: Sightings, wanted: Callable[[Shortage], bool]) -> list[Shortage]:
    """Return the first refused allocation of each GPU for which ``wanted`` holds."""
    first: dict[str, Shortage] = {}
    for position in sightings.of(FAULT):
        one = _shortage(position, sightings.seen[position])
        if one and wanted(one):
            first.setdefault(one.gpu, one)
    return list(first.values())


def shown(size: int) -> str:
    """Return a size as PyTorch prints it."""
    unit = next((u for u in ("GiB", "MiB", "KiB") if size >= UNITS[u]), "bytes")
    return f"{size / UNITS[unit]:.2f} {unit}" if unit != "bytes" else f"{size} bytes"


def _shortage(position: int, sighting: Sighting) -> Shortage | None:
    said = sighting.values
    tried, free, total = (_bytes(said.get(name)) for name in ("tried", "free", "total"))
    if tried is None or free is None or total is None:
        return None
    users = said.get("users", "")
    own = _bytes(_group(OWN, users))
    allocated, idle = _bytes(said.get("allocated")), _idle(said)
    reserved = None if allocated is None or idle is None else allocated + idle
    processes = {pid: _bytes(size) or 0 for pid, size in OTHER.findall(users)}
    listed = bool(processes) or own is not None
    return Shortage(
        seen_at=position,
        gpu=said.get("gpu", "0"),
        tried=tried,
        free=free,
        own=own,
        others=processes if own is not None else _without_own(processes, reserved or 0),
        total=total,
        unnamed=0 if listed or reserved is None else max(0, total - free - reserved),
        allowed=_bytes(said.get("allowed") or _group(ALLOWED, users)),
        idle=idle,
    )


def _without_own(processes: dict[str, int], reserved: int) -> dict[str, int]:
    """Drop the process that must be the failing one itself.

    In a container the driver reports process numbers of the host, so PyTorch does not
    recognise its own; it is the smallest one that holds what PyTorch has reserved.
    """
    fitting = [pid for pid, size in processes.items() if size >= reserved]
    itself = min(fitting, key=lambda pid: processes[pid], default=None)
    return {pid: size for pid, size in processes.items() if pid != itself}


def _idle(said: dict[str, str]) -> int | None:
    reserved, allocated = _bytes(said.get("reserved")), _bytes(said.get("allocated"))
    if reserved is not None and allocated is not None:
        return reserved - allocated
    return _bytes(said.get("unallocated"))


def _group(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1) if found else None


def _bytes(text: str | None) -> int | None:
    found = SIZE.fullmatch(text) if text else None
    return round(float(found.group(1)) * UNITS[found.group(2)]) if found else None
