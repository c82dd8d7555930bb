"""
## What it means
A GPU is on the PCI bus and the driver is installed, but its kernel module `nvidia` is not loaded.
Nothing can talk to the GPU: `nvidia-smi` says that it could not communicate with the driver, NVML
returns 9, CUDA 100 or 999.

## Why it happens
The module was never asked for at boot (headless machine without nvidia-persistenced), it is blacklisted,
by `prime-select intel` for example, somebody unloaded it, or loading was refused: Secure Boot, a driver
branch that does not support the GPU, another driver that holds it. In a container this is the state of
the host, since modules belong to the kernel and not to the container.

## When it is not a fault
On a laptop the user may have switched the NVIDIA GPU off on purpose. A host that hands all GPUs to
virtual machines needs no module. A node whose driver comes in a container has none until that container
runs.

## What to do
On the host run `sudo modprobe nvidia` and read what it says: "Key was rejected" is Secure Boot, "No such
device" is a GPU that this driver does not support or that something else holds, no message means that it
was only never loaded. Enable nvidia-persistenced, or list `nvidia` in /etc/modules-load.d, to have it
after each boot.

## How safe the fix is
Loading the module starts nothing else and stops nothing; `modprobe -r` takes it back while it is unused.
It changes which driver a display runs on only if nothing drives that display yet.
"""

from collections.abc import Iterator

from codeblue.faults.driver.own_gpus import driven_by, own_gpus
from codeblue.model.facts import Container, Driver, KernelModules, Pci
from codeblue.model.fault import Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

OTHER_DRIVERS = ("nouveau", "nova_core", "nova-core", "NovaCore")

LOAD = Remedy(
    message("load the module nvidia", "加载模块 nvidia"),
    (
        Step(
            Verb.MODULE_LOAD,
            message("the module is on disk and not loaded", "模块在磁盘上但没有加载"),
            {"module": "nvidia"},
        ),
    ),
    Automation.APPROVAL,
    Undo.COMPENSATING,
)


def instructed(en: str, zh: str) -> Remedy:
    """Return a remedy that only a person can carry out."""
    text = message(en, zh)
    return Remedy(text, (Step(Verb.INSTRUCT, text),), Automation.HUMAN, Undo.COMPENSATING)


@fault(
    "nvidia-module-not-loaded",
    title=Text("The NVIDIA kernel module is not loaded", "NVIDIA 内核模块没有加载"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "driver-version-unexpected",
    ),
    references=(
        Reference(
            "NVIDIA driver README, common problems",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/commonproblems.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("river not loaded", r"nvml error: driver not loaded"),
        Signature("Driver Not Loaded", r"Failed to initialize NVML: Driver Not Loaded"),
    ),
    remedy=LOAD,
    next_command="sudo modprobe nvidia; sudo dmesg | tail -n 30",
)
def nvidia_module_not_loaded(
    pci: Pci, driver: Driver | None, modules: KernelModules, container: Container | None
) -> Iterator[Hit]:
    if driver is not None or not own_gpus(pci) or driven_by(pci, *OTHER_DRIVERS):
        return
    if "nvidia" in modules.loaded or modules.built_in:
        return
    if container is not None:
        yield _on_the_host()
    elif modules.on_disk:
        yield (
            _blacklisted(modules.blacklisted["nvidia"])
            if "nvidia" in modules.blacklisted
            else _plain(modules)
        )


def _plain(modules: KernelModules) -> Hit:
    return Hit(
        subject="driver",
        summary=message(
            "{path} exists for the running kernel, but the module is not loaded",
            "正在运行的内核有 {path}，但该模块没有加载",
            path=modules.on_disk[0],
        ),
        because=cite("modules.loaded", "modules.on_disk", "pci.nvidia_gpus"),
    )


def _blacklisted(file: str) -> Hit:
    return Hit(
        subject="driver",
        variant="blacklisted",
        summary=message(
            "the module nvidia is not loaded because {file} forbids it",
            "模块 nvidia 没有加载，因为 {file} 禁止了它",
            file=file,
        ),
        because=cite("modules.loaded", "modules.blacklisted[nvidia]", "pci.nvidia_gpus"),
        remedy=instructed(
            "remove that line (or run prime-select nvidia), rebuild the initramfs and reboot",
            "删除该行（或运行 prime-select nvidia），重建 initramfs 后重启",
        ),
    )


def _on_the_host() -> Hit:
    return Hit(
        subject="driver",
        variant="on-the-host",
        summary=message(
            "the NVIDIA kernel module is not loaded on the host of this container",
            "该容器所在的宿主机没有加载 NVIDIA 内核模块",
        ),
        because=cite("modules.loaded", "pci.nvidia_gpus", "container.engine"),
        remedy=instructed(
            "on the host: sudo modprobe nvidia, then start the container again",
            "在宿主机上：sudo modprobe nvidia，然后重新启动容器",
        ),
    )
