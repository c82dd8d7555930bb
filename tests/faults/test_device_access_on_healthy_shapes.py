"""Healthy machines of every shape give no finding of device access, containers and limits."""

from typing import Any

import pytest

from codeblue.diagnose.engine import assemble, evaluate
from codeblue.faults import index
from codeblue.model.finding import Outcome
from codeblue.model.layers import Layer
from tests.conftest import recording

LAYERS = (Layer.DEVICE_ACCESS, Layer.CONTAINER)
FURTHER = (
    "shm-permissions",
    "open-files-limit-too-low",
    "process-limit-too-low",
    "host-memory-exhausted",
    "mig-enabled-without-instances",
    "libcuda-not-in-ldcache-in-container",
)
WHOLE_NODE = {"mode": "0666", "owner": 0, "group": 0, "char": True, "major": 195, "expected_major": 195}
REFUSED = WHOLE_NODE | {"exists": True, "open_rw": "EPERM", "mode_after": "0666"}
NOT_YET = {"exists": False, "mode_after": "0666"}
NOT_GIVEN = {"exists": False, "mode_after": None}
DOCKER = {"state": "read", "engine": "docker", "injected": ["/usr/bin/nvidia-smi"]}
NO_GPU = {"state": "read", "functions": {}, "nvidia_gpus": [], "nvswitches": 0}
ABSENT = {"state": "absent"}
NO_DRIVER: dict[str, Any] = {
    "driver": ABSENT,
    "nodes": {"state": "read", "source": "stat {key}", "nodes": {}},
    "pci": NO_GPU,
}
NO_LIBRARY = {"loader": {"libraries": {"libcuda.so.1": {"path": None}}, "libcuda_copies": []}, "cuda": ABSENT}

SHAPES: dict[str, dict[str, Any]] = {
    "virtual machine": {},
    "freshly booted server": {
        "nodes": {"nodes": {"/dev/nvidiactl": NOT_YET, "/dev/nvidia-uvm": NOT_YET, "/dev/nvidia0": NOT_YET}}
    },
    "container with one of two GPUs": {
        "container": DOCKER,
        "nodes": {"nodes": {"/dev/nvidia1": NOT_GIVEN}},
        "environment": {"variables": {"NVIDIA_VISIBLE_DEVICES": "0", "NVIDIA_DRIVER_CAPABILITIES": "all"}},
    },
    "plain container": {"container": DOCKER | {"injected": []}} | NO_DRIVER | NO_LIBRARY,
    "job with one of two GPUs": {
        "nodes": {"nodes": {"/dev/nvidia1": REFUSED}},
        "environment": {"variables": {"CUDA_VISIBLE_DEVICES": "0", "SLURM_JOB_ID": "9"}},
        "cuda": {"unmasked_init": 0, "unmasked_count": 1},
    },
    "exclusive mode by policy": {"nvml": {"gpus": {"0": {"compute_mode": "exclusive-process"}}}},
    "MIG": {"nvml": {"gpus": {"0": {"mig": True, "mig_instances": 7}}}},
    "WSL2": {"host": {"wsl": True}} | NO_DRIVER,
    "laptop without a GPU": NO_DRIVER | NO_LIBRARY,
    "low limits": {
        "limits": {
            "limits": {
                "files": {"soft": 64, "hard": 64},
                "processes": {"soft": 64, "hard": 64},
                "address_space": {"soft": 1 << 36, "hard": 1 << 36},
                "memlock": {"soft": 65536, "hard": 65536},
            }
        },
        "cgroup": {"pids_max": 100, "oom_kills": 2, "memory_max": 1 << 33},
    },
}


@pytest.mark.parametrize("changes", SHAPES.values(), ids=SHAPES)
def test_a_healthy_machine_gives_no_finding(changes: dict[str, Any]) -> None:
    chosen = [e for e in index.entries().values() if e.layer in LAYERS or e.id in FURTHER]
    verdicts = evaluate(map(index.load, chosen), assemble(recording("h200-healthy", **changes)))

    assert len(chosen) > len(FURTHER)
    assert {v.fault: v.outcome for v in verdicts if v.outcome in (Outcome.FIRED, Outcome.BROKEN)} == {}
