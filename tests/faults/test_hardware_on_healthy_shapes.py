"""Healthy machines of every shape give no finding of the hardware layer."""

from typing import Any

import pytest

from codeblue.diagnose.engine import assemble, evaluate
from codeblue.faults import index
from codeblue.model.finding import Outcome
from codeblue.model.layers import Layer
from tests.conftest import recording

ABSENT = {"state": "absent"}
DENIED = {"state": "denied"}
NO_GPU = {"state": "read", "functions": {}, "nvidia_gpus": [], "nvswitches": 0}
NO_MODULE = {"loaded": {"nvidia": ..., "nvidia_uvm": ...}, "built_in": False}
NO_LIBRARIES = {"cuda": ABSENT, "nvml": ABSENT, "loader": {"libcuda_copies": []}}
NO_ECC = {"ecc_uncorrected": ..., "remapped_pending": ..., "remapped_failed": ..., "recovery_action": ...}


def log(*codes: int, lines: tuple[str, ...] = ()) -> dict[str, Any]:
    row = {"device": "0000:00:06", "seconds": 9.0, "pid": 7, "process": "python3"}
    xids = [row | {"code": code, "text": f"NVRM: Xid (PCI:0000:00:06): {code}, pid=7"} for code in codes]
    return {"xids": xids, "lines": [{"kind": "nvrm", "seconds": 1.0, "text": line} for line in lines]}


def laptop(link_width: int, throttle: int) -> dict[str, Any]:
    """A gaming laptop on battery under load: eight lanes, warm, its power brake pulled."""
    name = "NVIDIA GeForce RTX 4070 Laptop GPU"
    return {
        "host": {"hypervisor": None},
        "pci": {"functions": {"0000:00:06.0": {"device": "2820", "link_width": link_width}}},
        "nvml": {"gpus": {"0": {"name": name, "temperature": 86, "throttle": throttle} | NO_ECC}},
    }


SHAPES: dict[str, dict[str, Any]] = {
    "virtual machine": {},
    "bare host": {"host": {"hypervisor": None}},
    "container": {"container": {"state": "read", "engine": "docker", "injected": []}, "kernel_log": DENIED},
    "container of a CUDA image": {"environment": {"variables": {"NVIDIA_VISIBLE_DEVICES": "all"}}},
    "slurm node": {"environment": {"variables": {"CUDA_VISIBLE_DEVICES": "0", "SLURM_JOB_ID": "9"}}},
    "slurm login node": {
        "pci": NO_GPU,
        "modules": NO_MODULE,
        "driver": ABSENT,
        "environment": {"variables": {"CUDA_VISIBLE_DEVICES": "NoDevFiles"}},
        **NO_LIBRARIES,
    },
    "laptop without a GPU": {"pci": NO_GPU, "modules": NO_MODULE, "driver": ABSENT, **NO_LIBRARIES},
    "laptop on battery": laptop(8, 0x80 | 0x8 | 0x20),
    "idle laptop": laptop(1, 0x1),
    "WSL2": {
        "host": {"wsl": True, "hypervisor": "hyperv", "kernel": "6.6.87.2-microsoft-standard-WSL2"},
        "pci": NO_GPU,
        "modules": NO_MODULE,
        "driver": ABSENT,
        "loader": {"libcuda_copies": ["/usr/lib/wsl/lib/libcuda.so.1"]},
        "nvml": {"gpus": {"0": NO_ECC | {"link_width": ...}}},
    },
    "MIG": {"nvml": {"gpus": {"0": {"mig": True, "mig_instances": 2}}}},
    "host that hands its GPU to a guest": {
        "host": {"hypervisor": None},
        "pci": {"functions": {"0000:00:06.0": {"driver": "vfio-pci", "config_readable": False}}},
    },
    "after a job crashed": {"kernel_log": log(13, 31, 43, 45, 68, 69)},
    "virtual function with unused regions": {
        "kernel_log": log(lines=("NVRM: BAR2 is 0M @ 0x0 (PCI:0000:00:06.0)",))
    },
    "at its power cap": {"nvml": {"gpus": {"0": {"throttle": 0x4, "temperature": 70}}}},
    "bus that does not tell its width": {
        "host": {"hypervisor": None},
        "pci": {"functions": {"0000:00:06.0": {"link_width": None, "link_width_max": None}}},
    },
}

FAULTS = [
    entry.id
    for entry in index.entries().values()
    if entry.layer is Layer.HARDWARE or entry.id == "vm-mmio-window-too-small"
]


def test_the_layer_is_not_empty() -> None:
    assert "gpu-xid-error" in FAULTS and len(FAULTS) >= 12


@pytest.mark.parametrize("shape", SHAPES)
def test_no_finding_on_a_healthy(shape: str) -> None:
    view = assemble(recording("h200-healthy", **SHAPES[shape]))

    verdicts = evaluate([index.load(index.entries()[fault]) for fault in FAULTS], view)

    assert [v for v in verdicts if v.outcome in (Outcome.FIRED, Outcome.BROKEN)] == []
