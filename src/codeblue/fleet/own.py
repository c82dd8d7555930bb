"""What every node has for itself: set aside, so that nodes with the same software have the same sections.

A temperature, a uuid or the free bytes of a disk are another number on each node, and would make another
section of each. They are kept beside the hashes of the sections and put back wherever somebody asks for them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import ValidationError, convert

from codeblue.model.snapshot import SECTIONS

UNSTABLE = ("seconds",)
"""Fields that say how long reading took, not what was read."""
FIELDS: dict[str, tuple[str, ...]] = {
    "host": ("hostname", "boot_id", "uptime_seconds", "memory_bytes"),
    "cgroup": ("memory_current",),
    "clock": ("estimated_error",),
    "cuda": ("init_seconds",),
    "torch_trial": ("import_seconds", "kernel_seconds"),
}
"""Facts of a node's own, by section."""
KEYS: dict[str, dict[str, tuple[str, ...]]] = {"environment": {"variables": ("SLURM_PROCID",)}}
"""Entries of plain tables. No rule may look at them: that one is missing raises nothing."""
ROWS: dict[str, dict[str, tuple[str, ...]]] = {
    "nvml": {"gpus": ("uuid", "memory_used", "temperature", "throttle", "processes")},
    "fabric": {"gpus": ("pcie_replays", "link_errors")},
    "pci": {"functions": ("link_speed", "errors"), "ports": ("errors",)},
    "nodes": {"nodes": ("major", "expected_major")},
    "modules": {"loaded": ("references",)},
    "services": {"services": ("last_start",)},
    "filesystems": {"filesystems": ("total", "free", "inodes", "inodes_free")},
    "kernel_log": {"lines": ("seconds",)},
}
"""Facts of the rows of a table."""
NAMES = frozenset(
    name
    for part in (
        *FIELDS.values(),
        *(fields for tables in ROWS.values() for fields in tables.values()),
    )
    for name in part
)
"""Names of all facts that may be set aside."""
EMPTY: tuple[Any, ...] = (None, [], {})
"""The same on all nodes that have nothing to tell: left where it is."""

Raw = dict[str, Any]


def apart(name: str, section: Mapping[str, Any]) -> tuple[Raw, Raw]:
    """Return a section of the probe's answer without what is the node's own, and that.

    A section in which what is the node's own has another shape than agreed is left whole.
    """
    left = {key: section[key] for key in sorted(section) if key not in UNSTABLE}
    shared, mine = dict(left), Raw()
    _move(shared, mine, FIELDS.get(name, ()))
    for table, keys in KEYS.get(name, {}).items():
        if isinstance(inner := shared.get(table), dict):
            shared[table], own = dict(inner), Raw()
            _move(shared[table], own, keys)
            _put(mine, table, own)
    checked = dict(mine)
    for table, fields in ROWS.get(name, {}).items():
        rows = shared.get(table)
        if isinstance(rows, (dict, list)):
            found: Raw = {}
            parted = list(_parted(_items(rows), found, fields))
            shared[table] = dict(parted) if isinstance(rows, dict) else [row for _, row in parted]
            _put(mine, table, found)
            _put(checked, table, found if isinstance(rows, dict) else list(found.values()))
    return (shared, mine) if not mine or _agreed(name, checked) else (left, {})


def joined(section: Mapping[str, Any], mine: Mapping[str, Any]) -> Raw:
    """Return a section with what is the node's own; neither is changed."""
    whole = dict(section)
    for key, own in mine.items():
        there = whole.get(key)
        if not isinstance(own, dict) or not isinstance(there, (dict, list)):
            whole[key] = own
        elif isinstance(there, dict):
            whole[key] = joined(there, own)
        else:
            whole[key] = [joined(row, own[str(n)]) if str(n) in own else row for n, row in enumerate(there)]
    return whole


def _items(rows: Raw | list[Any]) -> Iterable[tuple[str, Any]]:
    return rows.items() if isinstance(rows, dict) else ((str(n), row) for n, row in enumerate(rows))


def _parted(rows: Iterable[tuple[str, Any]], mine: Raw, fields: Collection[str]) -> Iterator[tuple[str, Any]]:
    for key, row in rows:
        if not isinstance(row, dict):
            yield key, row
            continue
        left, own = dict(row), Raw()
        _move(left, own, fields)
        _put(mine, key, own)
        yield key, left


def _move(left: Raw, mine: Raw, names: Iterable[str]) -> None:
    for name in names:
        if name in left and left[name] not in EMPTY:
            mine[name] = left.pop(name)


def _put(mine: Raw, key: str, own: Any) -> None:
    if own:
        mine[key] = own


def _agreed(name: str, mine: Mapping[str, Any]) -> bool:
    try:
        convert(mine, SECTIONS[name])
    except ValidationError:
        return False
    return True
