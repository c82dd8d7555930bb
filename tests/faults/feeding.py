"""A machine with one H200 whose input side was tried, for tests of rules."""

from typing import Any

from codeblue.model.snapshot import Snapshot
from tests.conftest import recording

PROCESSORS = {
    "online": 64,
    "allowed": 64,
    "mask": "0-63",
    "quota": None,
    "quota_source": None,
    "nodes": [0, 1],
    "all_nodes": 2,
    "gpu_nodes": {"0": 0},
    "variables": {},
    "torch_threads": 32,
    "effective": 58.2,
    "tried": 64,
    "others": 0.4,
    "stolen": 0.0,
}


def feed(speed: float) -> dict[str, Any]:
    """Return the row of a DataLoader that worked."""
    return {"first_seconds": 0.2, "samples_per_second": speed, "mbs": 0.6 * speed}


HEALTHY = {"0": feed(240), "1": feed(230), "2": feed(455), "8": feed(1750)}
LOCAL = {
    "path": "/home/data",
    "kind": "ext4",
    "network": False,
    "small_files": {"read": {"p50_ms": 0.12, "p99_ms": 0.5, "count": 100}},
    "write_mbs": 1400.0,
    "read_mbs": 2600.0,
    "direct": True,
}
CROWD = {"processes": 8, "threads": 64, "per_second": 900.0, "per_second_single": 9000.0}


def tried(
    processors: dict[str, Any] | None = None,
    feeds: dict[str, Any] | None = None,
    storage: dict[str, Any] | None = None,
    crowd: dict[str, Any] | None = None,
    small: bool = False,
    **sections: Any,
) -> Snapshot:
    """Return the machine; what is given is merged into healthy rows, ``sections`` into other sections."""
    row = {
        "small": small,
        "processors": PROCESSORS | (processors or {}),
        "feeds": {"decode": HEALTHY if feeds is None else feeds},
        "storage": {"cwd": LOCAL} if storage is None else storage,
        "crowd": CROWD | (crowd or {}),
    }
    trial = {"state": "read", "devices": {"0": row}, "passed_over": {}}
    return recording("h200-healthy", loader_trial=trial, **sections)
