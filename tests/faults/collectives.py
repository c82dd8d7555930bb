"""Snapshots of machines on which the collectives were tried."""

from typing import Any

from codeblue.model.snapshot import Snapshot
from tests.conftest import recording

LARGE = str(1 << 29)
H200 = "NVIDIA H200"
NVLINKED = {
    "state": "read",
    "gpus": {},
    "peers": {"0-1": {"level": "node", "read": "ok", "write": "ok", "nvlink": "ok"}},
}
OVER_PCIE = {
    "state": "read",
    "gpus": {},
    "peers": {"0-1": {"level": "node", "read": "ok", "write": "ok", "nvlink": "not-supported"}},
}
STEP = {
    "own_low_ms": 8.0,
    "own_ms": 8.1,
    "own_high_ms": 8.2,
    "compute_ms": 8.0,
    "hand_in_ms": 0.1,
    "wait_ms": 0.1,
}
IB = {
    "state": "read",
    "interfaces": {},
    "rdma": {
        "mlx5_0": {
            "driver": "mlx5_core",
            "ports": {"1": {"state": "active", "link_layer": "infiniband", "rate": "400 Gb/sec (4X NDR)"}},
        }
    },
    "rdma_nodes": ["uverbs0"],
    "peermem": None,
}


def ran(
    speed: float | None = 312.0,
    way: str | None = "P2P/CUMEM",
    variables: dict[str, str] | None = None,
    gpu: str | None = H200,
    hosts: tuple[str | None, ...] = (None, None),
    rows: dict[str, dict[str, Any]] | None = None,
    size: str = LARGE,
    **sections: Any,
) -> Snapshot:
    """Return a recording with a trial in which all_reduce reached ``speed`` GB/s."""
    one = {"wrong": 0} if speed is None else {"seconds": 0.001, "algbw": speed, "busbw": speed, "wrong": 0}
    devices = {
        str(rank): {
            "rank": rank,
            "world": len(hosts),
            "backend": "nccl" if gpu else "gloo",
            "gpu": gpu,
            "host": host,
            "step": STEP,
            "collectives": {"all_reduce": {size: one}},
        }
        | (rows or {}).get(str(rank), {})
        for rank, host in enumerate(hosts)
    }
    log = {"transports": {way: 8} if way else {}, "variables": variables or {}}
    launcher = None if set(hosts) == {None} else "srun"
    trial = {"state": "read", "passed_over": {}, "devices": devices, "log": log, "launcher": launcher}
    return recording("h200-healthy", nccl_trial=trial, **sections)
