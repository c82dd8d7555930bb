"""Fingerprints of numerics for tests: a healthy GPU, and what is different."""

from copy import deepcopy
from typing import Any

from codeblue.model.snapshot import Snapshot
from tests.conftest import recording

ERRORS = {
    "matmul/fp32": 2.5e-7,
    "matmul/bf16": 1.7e-3,
    "matmul/tf32": 2.9e-4,
    "convolution/fp32": 2.8e-4,
    "convolution-backward/fp32": 3.1e-4,
    "sum/fp32": 1.4e-7,
    "attention-flash-backward/bf16": 2.9e-3,
}
"""What an H100 gives by default: TF32 in convolutions, float32 in products."""

FLAGS = {
    "cuda.matmul.allow_tf32": "False",
    "get_float32_matmul_precision": "highest",
    "cudnn.allow_tf32": "True",
    "cudnn.benchmark": "False",
    "cudnn.deterministic": "False",
    "are_deterministic_algorithms_enabled": "False",
    "get_num_threads": "4",
}
VERSIONS = {
    "torch": "2.11.0+cu130",
    "cudnn": "91900",
    "cublas": "13.1.0",
    "gpu": "NVIDIA H200",
    "capability": "9.0",
    "multiprocessors": "132",
    "processor": "a processor",
    "cpu-capability": "AVX512",
}
CURVE = [round(1.4 - 0.032 * point, 4) for point in range(20)]


def device(
    flags: dict[str, str] | None = None,
    variables: dict[str, str] | None = None,
    versions: dict[str, str | None] | None = None,
    losses: list[float] | None = None,
    **operations: dict[str, Any],
) -> dict[str, Any]:
    """Return one device's row. ``operations`` change rows, by names with ``_`` for ``/`` and ``-``."""
    rows = {
        name: {"relative_error": error, "peak": 6.0, "changed": 0, "digest": f"d{number}"}
        for number, (name, error) in enumerate(ERRORS.items())
    }
    streams = {name: {"changed": 0, "digest": f"s-{name}"} for name in ("normal/cpu", "normal/gpu")}
    for name, row in {**rows, **streams}.items():
        row.update(operations.pop(name.replace("/", "_").replace("-", "_"), {}))
    assert not operations, f"no such operation: {operations}"
    told = {name: value for name, value in {**VERSIONS, **(versions or {})}.items() if value is not None}
    return {
        "suite": 1,
        "flags": {**FLAGS, **(flags or {})},
        "variables": variables or {},
        "versions": told,
        "operations": rows,
        "streams": streams,
        "canary": canary(losses),
        "seconds": 5.0,
    }


def canary(losses: list[float] | None = None) -> dict[str, Any]:
    """Return a training whose exact runs end close together."""
    orders = [[round(loss * scale, 6) for loss in CURVE] for scale in (0.98, 0.99, 1.01, 1.02)]
    return {"steps": 200, "losses": losses or CURVE, "changed": 0, "exact": CURVE, "orders": orders}


CPU: dict[str, str | None] = dict.fromkeys(("gpu", "capability", "multiprocessors", "cudnn", "cublas"))
"""Versions that a processor does not have."""


def trial(*devices: dict[str, Any]) -> dict[str, Any]:
    """Return the section of a trial with these devices."""
    rows = {str(number): row for number, row in enumerate(devices)}
    return {"state": "read", "source": "codeblue trial numerics", "passed_over": {}, "devices": rows}


def base(*devices: dict[str, Any]) -> dict[str, Any]:
    """Return the section of a base with these devices."""
    rows = {str(number): deepcopy(row) for number, row in enumerate(devices)}
    return {
        "state": "read",
        "source": "base.json",
        "name": "base.json",
        "host_name": None,
        "time": None,
        "devices": rows,
    }


def machine(*devices: dict[str, Any], against: dict[str, Any] | None = None, **sections: Any) -> Snapshot:
    """Return a healthy machine with a fingerprint of these devices, beside a base if one is given."""
    if against is not None:
        sections["numerics_base"] = against
    return recording("h200-healthy", numerics_trial=trial(*devices), **sections)
