"""The readers: section, module, phase, deadline in seconds, and whether they run as the judged user."""

from collections import namedtuple

Reader = namedtuple("Reader", "section module phase deadline as_user")

ALL = (
    Reader("python", "python_env", "beside", 10, True),
    Reader("packages", "packages", "beside", 10, False),
    Reader("torch", "torch_files", "after python", 3, True),
    Reader("jupyter", "jupyter", "after python", 3, True),
    Reader("loader", "loader", "after python", 5, True),
    Reader("conda", "conda", "beside", 8, True),
    Reader("host", "host", "plain", 3, False),
    Reader("modules", "modules", "plain", 3, False),
    Reader("pci", "pci", "plain", 3, False),
    Reader("driver", "driver", "plain", 3, False),
    Reader("driver_files", "driver_files", "plain", 3, False),
    Reader("user", "user", "plain", 3, True),
    Reader("login", "login", "plain", 3, True),
    Reader("limits", "limits", "plain", 3, True),
    Reader("filesystems", "filesystems", "plain", 3, True),
    Reader("cgroup", "cgroup", "plain", 3, False),
    Reader("container", "container", "plain", 3, False),
    Reader("engine", "engine", "beside", 5, True),
    Reader("container_run", "container_run", "beside", 5, False),
    Reader("vgpu", "vgpu", "plain", 3, True),
    Reader("nvcc", "nvcc", "plain", 3, True),
    Reader("environment", "environment", "plain", 3, True),
    Reader("kernel_log", "kernel_log", "plain", 5, False),
    Reader("services", "services", "plain", 5, False),
    Reader("process", "process", "plain", 3, False),
    Reader("network", "network", "plain", 3, False),
    Reader("clock", "clock", "plain", 3, False),
    Reader("next_boot", "next_boot", "next boot", 12, False),
    Reader("nodes", "nodes", "opens", 8, True),
    Reader("cuda", "cuda", "libraries", 15, True),
    Reader("nvml", "nvml", "libraries", 15, True),
    Reader("fabric", "fabric", "libraries", 15, True),
    Reader("nvidia_smi", "nvidia_smi", "libraries", 15, True),
)
