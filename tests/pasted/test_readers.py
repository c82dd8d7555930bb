"""Pasted output of commands becomes facts; what was not printed stays unread."""

from typing import Any

import msgspec
import pytest

from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted import sections

SMI = """
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 560.35.03              Driver Version: 560.35.03      CUDA Version: 12.6     |
|-----------------------------------------+------------------------+----------------------+
|   0  NVIDIA L4                      Off |   00000000:00:03.0 Off |                    2 |
| N/A   71C    P0             33W /   72W |   20000MiB /  23034MiB |     98%   E. Process |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|    0   N/A  N/A      4711      C   /usr/bin/python3                          19990MiB |
+-----------------------------------------------------------------------------------------+
"""
SMI_610 = "| NVIDIA-SMI 610.43.02              KMD Version: 610.43.02     CUDA UMD Version: 13.3     |"
SMI_OLD = """
| NVIDIA-SMI 418.87.00    Driver Version: 418.87.00    CUDA Version: 10.1     |
|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |
| N/A   36C    P0    38W / 300W |      0MiB / 16130MiB |      0%      Default |
|    0      2811      C   python                                       1234MiB |
"""
MIG = """
|   0  NVIDIA A100-SXM4-40GB          On  |   00000000:07:00.0 Off |                   On |
| N/A   30C    P0             40W /  400W |      87MiB /  40960MiB |     N/A      Default |
|                                         |                        |              Enabled |
| MIG devices:                                                                            |
|  No MIG devices found                                                                   |
"""
QUERY = """
==============NVSMI LOG==============

Driver Version                            : 550.90.07
CUDA Version                              : 12.4

Attached GPUs                             : 1
GPU 00000000:65:00.0
    Product Name                          : NVIDIA A30
    Persistence Mode                      : Enabled
    MIG Mode
        Current                           : Disabled
        Pending                           : Enabled
    GPU Recovery Action                   : Drain and Reset
    FB Memory Usage
        Total                             : 24576 MiB
        Used                              : 5 MiB
    Compute Mode                          : Exclusive_Process
    ECC Mode
        Current                           : Enabled
    ECC Errors
        Volatile
            SRAM Uncorrectable            : 1
            DRAM Uncorrectable            : 2
        Aggregate
            DRAM Uncorrectable            : 9
    Remapped Rows
        Pending                           : Yes
        Remapping Failure Occurred        : No
    Clocks Event Reasons
        Idle                              : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
            HW Power Brake Slowdown       : Not Active
"""
XML = """
<nvidia_smi_log>
	<driver_version>580.95.05</driver_version>
	<cuda_version>13.0</cuda_version>
	<gpu id="00000000:00:06.0">
		<product_name>NVIDIA H200</product_name>
		<mig_mode>
			<current_mig>Disabled</current_mig>
		</mig_mode>
		<ecc_errors>
			<volatile>
				<dram_uncorrectable>3</dram_uncorrectable>
			</volatile>
		</ecc_errors>
	</gpu>
</nvidia_smi_log>
"""
TOPO = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tSYS\t0-31\nGPU1\tSYS\t X \t32-63"
INSPECT = """
$ docker inspect trainer
[
    {
        "State": {"Status": "exited", "ExitCode": 137, "OOMKilled": true, "Error": ""},
        "HostConfig": {"Runtime": "runc", "ShmSize": 67108864, "Privileged": false, "DeviceRequests": null},
        "Config": {"Image": "train:1", "Env": ["NCCL_DEBUG=INFO", "API_TOKEN=abc", "HOME=/root"]}
    }
]
"""
COLLECT = """
Collecting environment information...
PyTorch version: 2.6.0+cu124
CUDA used to build PyTorch: 12.4
ROCM used to build PyTorch: N/A

OS: Ubuntu 22.04.4 LTS (x86_64)
Libc version: glibc-2.35

Python version: 3.11.9 (main, Apr  6 2024) (64-bit runtime)
Python platform: Linux-5.15.0-112-generic-x86_64-with-glibc2.35
Is CUDA available: True
CUDA runtime version: 11.8.89
GPU models and configuration: GPU 0: NVIDIA L40S
GPU 1: NVIDIA L40S

Nvidia driver version: 550.90.07

Versions of relevant libraries:
[pip3] numpy==1.26.4
[pip3] torch==2.6.0+cu124
[conda] Could not collect
"""

READ: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (SMI, "driver", {"module_version": "560.35.03"}),
    (SMI, "cuda", {"driver_version": 12060}),
    (
        SMI,
        "nvml.gpus.0",
        {
            "name": "NVIDIA L4",
            "persistence": False,
            "ecc": True,
            "ecc_uncorrected": 2,
            "temperature": 71,
            "compute_mode": "exclusive-process",
            "memory_used": 20000 << 20,
            "processes": [{"pid": 4711, "name": "python3", "memory_bytes": 19990 << 20}],
        },
    ),
    (SMI_610, "driver", {"module_version": "610.43.02"}),
    (SMI_610, "cuda", {"driver_version": 13030}),
    (SMI_OLD, "driver", {"module_version": "418.87.00"}),
    (SMI_OLD, "nvml.gpus.0", {"processes": [{"pid": 2811, "name": "python", "memory_bytes": 1234 << 20}]}),
    (MIG, "nvml.gpus.0", {"mig": True, "mig_instances": 0}),
    ("Failed to initialize NVML: Driver/library version mismatch", "nvml", {"init": 18}),
    (QUERY, "driver", {"module_version": "550.90.07"}),
    (
        QUERY,
        "nvml.gpus.0",
        {
            "name": "NVIDIA A30",
            "mig": False,
            "recovery_action": 4,
            "compute_mode": "exclusive-process",
            "ecc_uncorrected": 3,
            "remapped_pending": True,
            "remapped_failed": False,
            "throttle": 0x48,
        },
    ),
    (XML, "nvml.gpus.0", {"name": "NVIDIA H200", "mig": False, "ecc_uncorrected": 3}),
    (XML, "cuda", {"driver_version": 13000}),
    (TOPO, "fabric.peers.0-1", {"level": "system"}),
    (
        "crw-rw----+ 1 root video 195, 0 Nov  1 10:00 nvidia0",
        "nodes.nodes./dev/nvidia0",
        {"exists": True, "char": True, "owner": 0, "major": 195, "minor": 0},
    ),
    (
        '$ strace python x.py\nopenat(AT_FDCWD, "/dev/nvidiactl", O_RDWR|O_CLOEXEC) = -1 EPERM (x)',
        "nodes.nodes./dev/nvidiactl",
        {"open_rw": "EPERM"},
    ),
    (
        "$ ls -l /dev/nvidia*\ncrw-rw-rw- 1 root root 195, 0 Nov  1 10:00 /dev/nvidia0\n$ id",
        "nodes.nodes./dev/nvidia-uvm",
        {"exists": False},
    ),
    (
        "ls: cannot access '/dev/nvidia*': No such file or directory",
        "nodes.nodes./dev/nvidiactl",
        {"exists": False},
    ),
    (
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build",
        "driver",
        {"module_version": "580.95.05", "flavour": "open"},
    ),
    ("nvidia  61000000  12 nvidia_uvm,nvidia_modeset", "modules.loaded.nvidia", {"references": 12}),
    (
        "nvidia 61000000 12 nvidia_uvm, Live 0x0000000000000000 (POE)",
        "modules.loaded.nvidia",
        {"references": 12},
    ),
    ("$ lsmod | grep nvidia\n$ uname -r", "modules", {"loaded": {}}),
    (
        "nvidia, 470.57.02, 5.4.0-80-generic, x86_64: installed",
        "modules",
        {"other_kernels": ["5.4.0-80-generic"]},
    ),
    (
        "01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [10de:2204] (rev a1)\n"
        "\tKernel driver in use: nouveau",
        "pci.functions.0000:01:00.0",
        {"driver": "nouveau", "device": "2204"},
    ),
    (
        "Linux box 6.8.0-45-generic #45-Ubuntu SMP x86_64 x86_64 x86_64 GNU/Linux",
        "host",
        {"kernel": "6.8.0-45-generic", "machine": "x86_64", "wsl": False},
    ),
    ('ID=ubuntu\nVERSION_ID="24.04"', "host", {"distribution": "ubuntu", "distribution_version": "24.04"}),
    ("$ free -g\nMem:   62   10   20   1   31   50", "host", {"memory_bytes": 62 << 30}),
    ("SecureBoot enabled", "host", {"secure_boot": True}),
    (
        "[   12.500] NVRM: Xid (PCI:0000:01:00): 79, pid=42, name=python, GPU has fallen off the bus.",
        "kernel_log.xids.0",
        {"code": 79, "device": "0000:01:00", "seconds": 12.5, "pid": 42, "process": "python"},
    ),
    (
        "Nov  3 10:00:00 node7 kernel: Out of memory: Killed process 7 (python)",
        "kernel_log.lines.0",
        {"kind": "oom"},
    ),
    (
        " Runtimes: io.containerd.runc.v2 runc\n Default Runtime: runc\n Docker Root Dir: /var/snap/docker/x",
        "engine",
        {"runtimes": ["io.containerd.runc.v2", "runc"], "default_runtime": "runc", "snap": True},
    ),
    (
        '$ cat /etc/docker/daemon.json\n{\n  "runtimes": {"nvidia": {}}\n}',
        "engine.daemon_json",
        {"runtimes": ["nvidia"]},
    ),
    ('$ cat /etc/docker/daemon.json\n{\n  "a": 1,,\n  "b": 2\n}', "engine.daemon_json", {"line": 2}),
    (
        INSPECT,
        "container_run",
        {"exit_code": 137, "oom_killed": True, "runtime": "runc", "shm_size": 64 << 20},
    ),
    (INSPECT, "container_run", {"variables": {"NCCL_DEBUG": "INFO"}}),
    (
        "docker run --rm \\\n  --gpus '\"device=0,1\"' --shm-size=8g -e NCCL_DEBUG=INFO "
        "\\\n  -it train:1 bash",
        "container_run",
        {
            "device_requests": [{"driver": "", "count": 0, "devices": ["0", "1"], "capabilities": ["gpu"]}],
            "shm_size": 8 << 30,
            "variables": {"NCCL_DEBUG": "INFO"},
            "image": "train:1",
        },
    ),
    ("NVIDIA Container Toolkit CLI version 1.16.2", "engine.toolkit.nvidia-ctk", {"version": "1.16.2"}),
    (
        "NVRM version:   535.183.01\nDevice Index:   0\nModel:          Tesla T4",
        "nvml.gpus.0",
        {"name": "Tesla T4"},
    ),
    (
        "\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libcuda.so.1",
        "loader.libraries.libcuda.so.1",
        {"path": "/usr/lib/x86_64-linux-gnu/libcuda.so.1"},
    ),
    ("\tlibcudnn.so.9 => not found", "loader.libraries.libcudnn.so.9", {"path": None}),
    (
        "lrwxrwxrwx 1 root root 20 Nov 1 10:00 /usr/lib/libcuda.so.1 -> libcuda.so.550.54.14",
        "loader.libraries.libcuda.so.1",
        {"version": "550.54.14"},
    ),
    ('export CUDA_VISIBLE_DEVICES=""', "environment", {"variables": {"CUDA_VISIBLE_DEVICES": ""}}),
    (
        "$ NCCL_DEBUG=INFO RANK=3 python x.py",
        "environment",
        {"variables": {"NCCL_DEBUG": "INFO", "RANK": "3"}},
    ),
    ("max locked memory           (kbytes, -l) 64", "limits.limits.memlock", {"soft": 65536}),
    ("open files                          (-n) 1024", "limits.limits.files", {"soft": 1024}),
    ("$ ulimit -l\nunlimited", "limits.limits.memlock", {"soft": None}),
    (
        "Filesystem     1K-blocks  Used Available Use% Mounted on\nshm 65536 65536 0 100% /dev/shm",
        "filesystems.filesystems./dev/shm",
        {"total": 64 << 20, "free": 0},
    ),
    (
        "uid=1001(alice) gid=1001(team) groups=1001(team),44(video)",
        "user",
        {"uid": 1001, "groups": {"group-1001": 1001, "video": 44}},
    ),
    (
        "● nvidia-fabricmanager.service - NVIDIA fabric manager service\n"
        "     Loaded: loaded (/lib/systemd/system/nvidia-fabricmanager.service; enabled; vendor preset)\n"
        "     Active: failed (Result: exit-code) since Mon",
        "services.services.nvidia-fabricmanager",
        {"state": "failed", "enabled": "enabled", "running": False},
    ),
    (
        "hi  nvidia-utils-550:amd64   550.107.02-0ubuntu1   amd64   NVIDIA",
        "packages.installed.nvidia-utils-550",
        {"version": "550.107.02-0ubuntu1", "held": True, "whole": True},
    ),
    (
        "kmod-nvidia-latest-dkms-560.35.03-1.el9.x86_64",
        "packages",
        {"manager": "rpm"},
    ),
    (COLLECT, "torch", {"version": "2.6.0+cu124", "cuda": "12.4", "hip": None}),
    ("Cuda compilation tools, release 12.4, V12.4.131", "nvcc", {"version": "12.4.131", "path": "unread"}),
    ("Cuda compilation tools, release 9.1", "nvcc", {"version": "9.1"}),
    ("CUDA runtime version: 11.8.89", "nvcc", {"version": "11.8.89"}),
    (COLLECT, "torch_trial", {"available": True}),
    (COLLECT, "nvml.gpus.1", {"name": "NVIDIA L40S"}),
    (COLLECT, "python.distributions.numpy", {"version": "1.26.4"}),
    (COLLECT, "host", {"glibc": "2.35", "kernel": "5.15.0-112-generic", "distribution": "ubuntu"}),
    (
        "Name: torch\nVersion: 2.4.1\nSummary: Tensors\nLocation: /opt/venv/lib/python3.11/site-packages",
        "python.distributions.torch",
        {"version": "2.4.1", "location": "/opt/venv/lib/python3.11/site-packages"},
    ),
    ("pytorch  2.3.0  py3.11_cuda12.1_cudnn8.9.2_0  pytorch", "torch", {"cuda": "12.1"}),
    ("pytorch  2.3.0  py3.11_cpu_0  pytorch", "torch", {"cuda": None}),
)

NOTHING = (
    "# note: nvcc says Cuda compilation tools, release 12.4, V12.4.131",
    "# note: nvidia-smi says Driver Version: 550.54.14",
    "$ journalctl -b -1 -k\nNov  3 10:00:00 node7 kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen",
    "rc  nvidia-utils-535:amd64  535.183.01-0ubuntu1  amd64  NVIDIA",
    "SECRET_TOKEN=abc",
    "export HF_TOKEN=abc",
    "shm  64  64  0  100% /dev/shm",
    "$ docker run",
    "the model has 7.5 GPU 0: hours of training",
)


def lines(text: str) -> list[Line]:
    return [
        Line(row, "pasted.txt", number, row.startswith("# note"))
        for number, row in enumerate(text.splitlines(), start=1)
    ]


def at(found: dict[str, Section], path: str) -> Any:
    value = msgspec.to_builtins(found)
    parts = path.split(".")
    while parts:
        if isinstance(value, list):
            value = value[int(parts.pop(0))]
            continue
        # Keys such as libcuda.so.1 hold dots themselves.
        key = next(".".join(parts[:n]) for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in value)
        value = value[key]
        parts = parts[key.count(".") + 1 :]
    return value


@pytest.mark.parametrize(("text", "path", "facts"), READ, ids=[f"{n}-{row[1]}" for n, row in enumerate(READ)])
def test_what_is_printed_is_read(text: str, path: str, facts: dict[str, Any]) -> None:
    found = at(sections(lines(text)), path)

    assert {name: found.get(name, "unread") for name in facts} == facts


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_output_of_a_known_command_says_nothing(text: str) -> None:
    assert sections(lines(text)) == {}


def test_an_access_list_leaves_the_mode_unread() -> None:
    found = at(sections(lines("crw-rw----+ 1 root root 195, 0 Nov  1 10:00 /dev/nvidia0")), "nodes.nodes")

    assert "mode" not in found["/dev/nvidia0"]


def test_a_piped_listing_says_nothing_of_other_nodes() -> None:
    text = "$ ls -la /dev | grep nvidia0\ncrw-rw-rw- 1 root root 195, 0 Nov  1 10:00 nvidia0"

    assert set(at(sections(lines(text)), "nodes.nodes")) == {"/dev/nvidia0"}


def test_the_first_of_two_readings_is_kept_and_both_are_joined() -> None:
    text = f"{SMI_610}\nNVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue"

    assert at(sections(lines(text)), "driver") | {"source": "", "sources": {}} == {
        "state": "read",
        "reason": "",
        "source": "",
        "sources": {},
        "unread": {},
        "seconds": 0.0,
        "module_version": "580.95.05",
        "flavour": "proprietary",
    }
