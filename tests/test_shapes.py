"""A healthy machine of every deployment shape gives no trouble and no false risk, by the whole catalogue."""

from typing import Any

import pytest

from codeblue.model.diagnosis import Overall
from codeblue.model.fault import Certainty
from codeblue.model.finding import Finding
from codeblue.pipeline import judge
from tests.conftest import recording

ABSENT = {"state": "absent"}
DENIED = {"state": "denied"}
GPU = "0000:00:06.0"
NO_GPU = {"state": "read", "functions": {}, "nvidia_gpus": [], "nvswitches": 0}
NO_MODULE = {"loaded": {"nvidia": ..., "nvidia_uvm": ...}, "built_in": False}
NO_NODES = {"state": "read", "source": "stat {key}", "nodes": {}}
NO_SMI = {"path": None, "exit_code": ..., "words": ..., "recognised": ...}
NO_ECC = {"ecc_uncorrected": ..., "remapped_pending": ..., "remapped_failed": ..., "recovery_action": ...}
CPU_TORCH = {"version": "2.11.0+cpu", "cuda": None}
CPU_TRIAL: dict[str, Any] = {
    "available": False,
    "count": 0,
    "cuda": None,
    "cudnn": None,
    "devices": ...,
    "arch_list": [],
}
NO_LIBRARIES = {
    "cuda": ABSENT,
    "nvml": ABSENT,
    "nvidia_smi": ABSENT,
    "driver_files": {"libraries": ...},
    "loader": {"libraries": {"libcuda.so.1": {"path": None}}, "libcuda_copies": []},
}
"""What is left where no driver is installed."""

WITHOUT_GPU: dict[str, Any] = {
    "pci": NO_GPU,
    "modules": NO_MODULE,
    "driver": ABSENT,
    "nodes": NO_NODES,
    "torch": CPU_TORCH,
    "torch_trial": CPU_TRIAL,
    **NO_LIBRARIES,
}

MLX5 = {
    "driver": "mlx5_core",
    "firmware": "28.42.1000",
    "ports": {"1": {"state": "active", "link_layer": "infiniband"}},
}
CLUSTER = {
    "state": "read",
    "interfaces": {},
    "rdma": {"mlx5_0": MLX5},
    "rdma_nodes": ["uverbs0"],
    "peermem": None,
}

WHOLE_NODE = {"mode": "0666", "owner": 0, "group": 0, "char": True, "major": 195, "expected_major": 195}
REFUSED = WHOLE_NODE | {"exists": True, "open_rw": "EPERM", "mode_after": "0666"}
NOT_GIVEN = {"exists": False, "mode_after": None}
INJECTED = ["/usr/bin/nvidia-smi", "/usr/local/nvidia/lib64/libcuda.so.580.159.04"]


def container(engine: str, *injected: str, **changes: Any) -> dict[str, Any]:
    return {
        "container": {"state": "read", "engine": engine, "injected": list(injected)},
        "kernel_log": DENIED,
    } | changes


def log(*codes: int, lines: tuple[str, ...] = ()) -> dict[str, Any]:
    row = {"device": "0000:00:06", "seconds": 9.0, "pid": 7, "process": "python3"}
    xids = [row | {"code": code, "text": f"NVRM: Xid (PCI:0000:00:06): {code}, pid=7"} for code in codes]
    return {"xids": xids, "lines": [{"kind": "nvrm", "seconds": 1.0, "text": line} for line in lines]}


def laptop(link_width: int, throttle: int) -> dict[str, Any]:
    """A gaming laptop: eight lanes at most, warm, its power brake pulled on battery."""
    name = "NVIDIA GeForce RTX 4070 Laptop GPU"
    return {
        "host": {"hypervisor": None},
        "pci": {"functions": {GPU: {"device": "2820", "link_width": link_width}}},
        "nvml": {"gpus": {"0": {"name": name, "temperature": 86, "throttle": throttle} | NO_ECC}},
        "cuda": {"devices": {"0": {"name": name, "capability": "8.9"}}},
        "torch_trial": {"devices": {"0": {"name": name, "capability": "8.9"}}},
    }


def two_gpus(device: str, *active: int, iommu: str = "DMA-FQ", **peer: str) -> dict[str, Any]:
    """A bare host with two GPUs of one kind, which have so many active NVLinks and reach each other so."""
    counts = active * 2 if len(active) == 1 else active
    addresses = ("0000:41:00.0", "0000:42:00.0")
    function = {"vendor": "10de", "pci_class": "030200", "driver": "nvidia", "config_readable": True}
    function |= {"device": device, "iommu": iommu, "upstream": [], "errors": {}}
    whole = {"link_width": 16, "link_width_max": 16, "link_speed_max": "32.0 GT/s PCIe"}
    gpu = {"handle": 0, "name": "NVIDIA H200", "mig": False, "persistence": True}
    return {
        "host": {"hypervisor": None},
        "pci": {"functions": dict.fromkeys(addresses, function | whole), "ports": {}},
        "nvml": {"gpus": {str(index): gpu | {"pci": a} for index, a in enumerate(addresses)}},
        "fabric": {
            "state": "read",
            "peers": {"0-1": {"read": "ok", "write": "ok", "nvlink": "not-supported"} | peer},
            "gpus": {
                str(index): {
                    "links": {str(link): {"active": link < count} for link in range(18)},
                    "fabric": {"state": "completed", "status": 0, "health": None, "health_mask": 0},
                }
                for index, count in enumerate(counts)
            },
        },
    }


SHAPES: dict[str, dict[str, Any]] = {
    "virtual machine with a GPU passed through": {},
    "bare host": {"host": {"hypervisor": None}},
    "freshly booted server": {
        "nodes": {
            "nodes": {
                name: {"exists": False, "mode_after": "0666"}
                for name in ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0")
            }
        }
    },
    "docker": container("docker", *INJECTED),
    "docker with a CUDA image": container(
        "docker", *INJECTED, environment={"variables": {"NVIDIA_VISIBLE_DEVICES": "all"}}
    ),
    "docker with one of two GPUs": container(
        "docker",
        *INJECTED,
        nodes={"nodes": {"/dev/nvidia1": NOT_GIVEN}},
        environment={"variables": {"NVIDIA_VISIBLE_DEVICES": "0", "NVIDIA_DRIVER_CAPABILITIES": "all"}},
    ),
    "docker without a GPU": WITHOUT_GPU | container("docker"),
    "podman": container("podman", *INJECTED),
    "gpu-operator pod": container(
        "kubernetes", *INJECTED, environment={"variables": {"NVIDIA_VISIBLE_DEVICES": "GPU-0"}}
    ),
    "gpu-operator pod with CDI": container(
        "kubernetes", *INJECTED, environment={"variables": {"NVIDIA_VISIBLE_DEVICES": "void"}}
    ),
    "slurm job with one of two GPUs": {
        "nodes": {"nodes": {"/dev/nvidia1": REFUSED}},
        "environment": {"variables": {"CUDA_VISIBLE_DEVICES": "0", "SLURM_JOB_ID": "9"}},
        "cuda": {"unmasked_init": 0, "unmasked_count": 1},
    },
    "slurm login node": WITHOUT_GPU | {"environment": {"variables": {"CUDA_VISIBLE_DEVICES": "NoDevFiles"}}},
    "laptop without a GPU": WITHOUT_GPU,
    "laptop on battery": laptop(8, 0x80 | 0x8 | 0x20),
    "idle laptop": laptop(1, 0x1),
    "WSL2": {
        "host": {"wsl": True, "hypervisor": "hyperv", "kernel": "6.6.87.2-microsoft-standard-WSL2"},
        "pci": NO_GPU,
        "modules": NO_MODULE,
        "driver": ABSENT,
        "nodes": NO_NODES,
        "loader": {
            "libraries": {"libcuda.so.1": {"path": "/usr/lib/wsl/lib/libcuda.so.1"}},
            "libcuda_copies": ["/usr/lib/wsl/lib/libcuda.so.1"],
        },
        "nvml": {"gpus": {"0": NO_ECC | {"link_width": ...}}},
    },
    "node of an InfiniBand cluster": {"host": {"hypervisor": None}, "network": CLUSTER},
    "server whose adapter carries ordinary Ethernet": {
        "network": CLUSTER
        | {"rdma": {"mlx5_0": MLX5 | {"ports": {"1": {"state": "active", "link_layer": "ethernet"}}}}},
        "driver": {"flavour": "proprietary"},
    },
    "MIG": {"nvml": {"gpus": {"0": {"mig": True, "mig_instances": 7}}}},
    "vGPU guest": {
        "nvml": {"gpus": {"0": {"name": "NVIDIA H200-35C"} | NO_ECC}},
        "pci": {"functions": {GPU: {"link_width": None, "link_width_max": None}}},
        "driver": {"flavour": "proprietary"},
    },
    "host that hands its GPU to a guest": WITHOUT_GPU
    | {
        "host": {"hypervisor": None},
        "pci": {"functions": {GPU: {"driver": "vfio-pci", "config_readable": False}}},
    },
    "after a job crashed": {"kernel_log": log(13, 31, 43, 45, 68, 69)},
    "virtual function with unused regions": {
        "kernel_log": log(lines=("NVRM: BAR2 is 0M @ 0x0 (PCI:0000:00:06.0)",))
    },
    "at its power cap": {"nvml": {"gpus": {"0": {"throttle": 0x4, "temperature": 70}}}},
    "bus that does not tell its width": {
        "host": {"hypervisor": None},
        "pci": {"functions": {GPU: {"link_width": None, "link_width_max": None}}},
    },
    "exclusive mode by policy": {"nvml": {"gpus": {"0": {"compute_mode": "exclusive-process"}}}},
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
    "bare host with two NVLink GPUs behind a translating IOMMU": two_gpus("2335", 18, nvlink="ok"),
    "bare host with two cards that the driver lets copy through memory": two_gpus(
        "20f1", 0, read="chipset-not-supported"
    ),
    "PCIe cards of which two are bridged": two_gpus("2331", 12, 0, iommu="identity"),
    "superchip whose links lead nowhere": two_gpus("2342", 0, iommu="identity"),
    "board with NVLink 5 and its subnet manager": two_gpus("2901", 18, nvlink="ok")
    | {
        "services": {
            "processes_visible": True,
            "services": {
                "nvlsm": {"state": None, "running": True},
                "nvidia-fabricmanager": {
                    "state": "active",
                    "running": True,
                    "restarts": 1,
                    "last_start": 9.0,
                },
            },
        }
    },
    "link that corrects an error now and then": {
        "host": {"hypervisor": None, "uptime_seconds": 9e5},
        "pci": {
            "functions": {
                GPU: {"upstream": [], "errors": {"correctable BadTLP": 40, "nonfatal UnsupReq": 2}}
            },
            "ports": {},
        },
    },
    "licensed vGPU guest": {
        "nvml": {"gpus": {"0": {"name": "NVIDIA H200-35C"} | NO_ECC}},
        "fabric": {
            "state": "read",
            "gpus": {"0": {"links": {}, "virtualisation": "vgpu", "licence": "licensed"}},
            "peers": {},
        },
    },
    "switch that logs corrected errors": {
        "kernel_log": {
            "sxids": [
                {
                    "device": "0000:84:00.0",
                    "code": 12028,
                    "seconds": 9.0,
                    "pid": None,
                    "process": None,
                    "text": "nvidia-nvswitch2: SXid (PCI:0000:84:00.0): 12028, Non-fatal, Link 32 egress",
                }
            ]
        }
    },
    "service that has started after a few attempts": {
        "services": {
            "services": {
                "kubelet": {"state": "active", "running": True, "restarts": 4, "last_start": 100.0},
                "containerd": {"state": "active", "running": True, "restarts": 30, "last_start": 9e4},
                "nvidia-persistenced": {"state": "inactive", "running": False, "restarts": 0},
            }
        }
    },
    "the CPU is meant for JAX": {
        "environment": {"variables": {"JAX_PLATFORMS": "cpu"}},
        "python": {"distributions": {"jax-cuda13-plugin": ..., "jax-cuda13-pjrt": ...}},
    },
    "a CPU environment on a machine without a GPU": WITHOUT_GPU
    | {"python": {"distributions": {"jax-cuda13-plugin": ..., "tensorflow-cpu": {"version": "2.20.0"}}}},
}

EARLIER_JOB = {"after a job crashed": ["illegal-memory-access", "kernel-trapped"]}
"""What an earlier job did on a healthy machine is told as possible, never more."""


@pytest.mark.parametrize("shape", SHAPES)
def test_a_healthy_machine_gives_no_trouble_and_no_false_risk(shape: str) -> None:
    diagnosis = judge(recording("h200-healthy", **SHAPES[shape]))

    earlier = EARLIER_JOB.get(shape, [])
    assert (diagnosis.causes, diagnosis.consequences, diagnosis.broken) == ((), (), ())
    assert [said(risk) for risk in diagnosis.risks if risk.fault not in earlier] == []
    assert [risk.fault for risk in diagnosis.risks if risk.certainty is Certainty.POSSIBLE] == earlier
    assert diagnosis.verdict is (Overall.RISK if earlier else Overall.HEALTHY)


def test_the_shapes_are_judged_by_rules_that_can_fire() -> None:
    broken = judge(recording("h200-healthy", nodes={"nodes": {"/dev/nvidia0": REFUSED | {"mode": "0600"}}}))

    assert len(broken.ruled_out) > 50
    assert broken.causes != ()


def said(finding: Finding) -> str:
    """Return what a person would read, for the message of a failing test."""
    return f"{finding.fault}: {finding.summary.say('en')}"
