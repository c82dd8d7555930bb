"""Pasted command output becomes facts, so that the rules of a live machine judge it too.

One module a command. Each reads its shape out of all lines of a short text and yields
sections; what it did not see stays unread, and only a complete listing says *absent*.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from codeblue.model.section import Section, united
from codeblue.sources.clues import Line

Reader = Callable[[Sequence[Line]], Iterator[Section]]

ALWAYS = ("",)
READERS: dict[str, tuple[str, ...]] = {
    "kernel_module": (
        "NVRM version",
        "API mismatch",
        "NVML library version",
        "filename:",
        "/sys/module/nvidia/version",
    ),
    "nvidia_smi": (
        "Version:",
        "DRIVER version",
        "KMD version",
        "CUDA Version",
        "CUDA version",
        "CUDA UMD",
        "\n|",
        "(UUID: GPU-",
        "nitialize NVML",
        "nitialize nvidia nvml",
    ),
    "nvidia_smi_query": ("NVSMI LOG", "<nvidia_smi_log>"),
    "nvidia_smi_topo": ("GPU0",),
    "container_cli": ("NVRM version", "CUDA version", "Device Index", "NVIDIA Container", "cli-version"),
    "device_nodes": ("/dev/nvidia", " nvidia"),
    "collect_env": ("Collecting environment information", "PyTorch version", "sys.platform"),
    "nvcc": ("Cuda compilation tools", "CUDA runtime version"),
    "distributions": ALWAYS,
    "modules": ALWAYS,
    "lspci": ("NVIDIA Corporation",),
    "host": (
        "Linux ",
        "uname -r",
        "ID=",
        "SecureBoot ",
        "EFI variables",
        "BOOT_IMAGE=",
        "initrd=",
        "ldd (",
        "Mem:",
    ),
    "kernel_messages": ALWAYS,
    "docker_info": ("Runtimes", "Cgroup Driver", "Docker daemon", "docker API"),
    "daemon_json": ("daemon.json", "runtimes", "default-runtime", "exec-opts"),
    "container_run": ("docker", "podman", "nerdctl", "HostConfig"),
    "libraries": (".so",),
    "environment": ("=",),
    "surroundings": ("-l)", "-n)", "-u)", "-v)", "ulimit -", "Filesystem ", "uid=", ".service"),
    "packages": ALWAYS,
    "kubernetes": (
        "Pending",
        "ContainerCreating",
        "ImagePullBackOff",
        "ErrImagePull",
        "Init:",
        "ContainerStatusUnknown",
        "Warning",
        "Status:",
        "Start Time:",
    ),
    "nccl_tests": ("minBytes",),
}
"""Each reader with words of which one stands in everything that it understands: without, it is not imported.

The first that tells a fact is believed: what describes itself before what describes others.
"""

LONGEST = 2000
"""Characters of a line that are looked at: no command prints its facts behind them."""


def sections(lines: Sequence[Line]) -> dict[str, Section]:
    """Return what the programs' lines of a text say, by the name of the section."""
    printed = [line._replace(text=line.text[:LONGEST]) for line in lines if not line.note]
    whole = "".join(f"\n{line.text}" for line in printed)
    wanted = (name for name, words in READERS.items() if any(word in whole for word in words))
    return united(section for name in wanted for section in reader(name)(printed))


def reader(name: str) -> Reader:
    """Return the reader of a command's output."""
    read: Reader = import_module(f"{__name__}.{name}").read
    return read
