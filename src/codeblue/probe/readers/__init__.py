"""The readers: section, phase, deadline in seconds, and whether they run as the judged user."""

from collections import namedtuple

from codeblue_probe.readers import (
    cgroup,
    container,
    cuda,
    driver,
    driver_files,
    environment,
    filesystems,
    host,
    kernel_log,
    limits,
    loader,
    modules,
    nodes,
    nvidia_smi,
    nvml,
    pci,
    python_env,
    services,
    torch_files,
    user,
)
from codeblue_probe.readers.nodes import nodes_after

Reader = namedtuple("Reader", "section phase deadline as_user read")

ALL = (
    Reader("host", "plain", 3, False, host.read),
    Reader("modules", "plain", 3, False, modules.read),
    Reader("pci", "plain", 3, False, pci.read),
    Reader("driver", "plain", 3, False, driver.read),
    Reader("driver_files", "plain", 3, False, driver_files.read),
    Reader("user", "plain", 3, True, user.read),
    Reader("limits", "plain", 3, True, limits.read),
    Reader("filesystems", "plain", 3, True, filesystems.read),
    Reader("cgroup", "plain", 3, False, cgroup.read),
    Reader("container", "plain", 3, False, container.read),
    Reader("environment", "plain", 3, True, environment.read),
    Reader("kernel_log", "plain", 5, False, kernel_log.read),
    Reader("services", "plain", 5, False, services.read),
    Reader("python", "plain", 10, True, python_env.read),
    Reader("nodes", "opens", 8, True, nodes.read),
    Reader("torch", "opens", 3, True, torch_files.read),
    Reader("loader", "opens", 5, True, loader.read),
    Reader("cuda", "libraries", 15, True, cuda.read),
    Reader("nvml", "libraries", 15, True, nvml.read),
    Reader("nvidia_smi", "libraries", 15, True, nvidia_smi.read),
)

__all__ = ["ALL", "nodes_after"]
