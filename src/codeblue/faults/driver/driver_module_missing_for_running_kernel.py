"""
## What it means
A GPU is on the PCI bus, but the running kernel has no `nvidia.ko` on disk, so there is nothing that
could be loaded. Kernel modules belong to exactly one kernel release: a module that was built for another
kernel does not count.

## Why it happens
Most often the kernel was updated (by an unattended upgrade) and the module was not rebuilt: no DKMS, no
kernel headers, a compiler that refused, a prebuilt module package that lags behind. Then the trouble
begins with the next reboot, days after the update. In the variant `not-installed` no part of the driver
was found: it was never installed, or the installation was removed.

## When it is not a fault
In a container the module files of the host are not visible, so this is not claimed there. GPUs that are
handed to virtual machines need no driver here. A Kubernetes node whose driver comes in a container has
none until that container has started: look at the operator's driver pod first.

## What to do
Install the headers of the running kernel and let DKMS build the module (`dkms autoinstall -k "$(uname
-r)"`), or install the distribution's prebuilt module package for this kernel, then `modprobe nvidia`. Or
boot the previous kernel, which still has its module. If the build fails, its log is
/var/lib/dkms/nvidia/*/build/make.log. To keep it from coming back, install the headers metapackage
beside the kernel metapackage, or hold the kernel.

## How safe the fix is
Building a module for the running kernel touches no running job, since none can use the GPU. Installing
packages may bring another driver version with it: check the version before you agree.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.faults.told import symptoms
from codeblue.faults.words import GPU_UNUSABLE, NVIDIA_SMI_FAILS
from codeblue.model.facts import Container, Driver, DriverFiles, Host, KernelModules, Pci, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

SYMPTOMS = (
    "nvidia-module-not-loaded",
    "nvml-init-failed",
    "nvidia-smi-failed",
    "cuda-init-failed",
    "torch-cuda-unavailable",
)
BUILD = Remedy(
    message("build or install the module for the running kernel", "为正在运行的内核构建或安装该模块"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "install the kernel headers, then run: dkms autoinstall -k $(uname -r)",
                "先安装内核头文件，再运行：dkms autoinstall -k $(uname -r)",
            ),
        ),
        Step(
            Verb.MODULE_LOAD,
            message("the new module is not loaded by itself", "新模块不会自己加载"),
            {"module": "nvidia"},
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "driver-module-missing-for-running-kernel",
    title=Text("The running kernel has no NVIDIA kernel module", "正在运行的内核没有对应的 NVIDIA 内核模块"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nouveau-owns-gpu",
        "nova-core-owns-gpu",
        "nvidia-module-not-loaded",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
    ),
    references=(
        Reference(
            "NVIDIA driver installation guide, kernel modules",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/kernel-modules.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("Module nvidia not found", r"modprobe: FATAL: Module nvidia not found", Certainty.LIKELY),
        Signature(
            "Bad return status for module build",
            r"Bad return status for module build on kernel",
            Certainty.POSSIBLE,
        ),
        Signature("/dkms/nvidia", r"Consult \S*/dkms/nvidia\S*/make\.log", Certainty.LIKELY),
        Signature("dkms autoinstall on", r"dkms autoinstall on \S+ failed for .*\bnvidia\S*\(\d+\)"),
        Signature(
            "kernel source tree", r"Unable to find the kernel source tree for the currently running kernel"
        ),
        Signature(
            "kernel headers for kernel",
            r"Your kernel headers for kernel \S+ cannot be found",
            Certainty.POSSIBLE,
        ),
        Signature("nvidia", r"modinfo: ERROR: Module nvidia(?:[-_]\w+)? not found", Certainty.LIKELY),
        Signature("added", "^nvidia.*: added *$", Certainty.POSSIBLE),
        Signature(
            "Module nvidia",
            r"modprobe: FATAL: Module nvidia[\w-]* not found in directory /lib/modules",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                NVIDIA_SMI_FAILS + "|" + GPU_UNUSABLE + r"|modprobe.{0,40}nvidia|no nvidia\.ko",
                r"kernel.{0,25}(?:upgrad|updat|bump|switch|changed)|(?:upgrad|updat)\w*.{0,25}\bkernel"
                "|(?:new|newer|another|different) kernel|HWE kernel|内核.{0,8}(?:升级|更新|自动|变"
                "|换)|(?:升级|更新|换|新).{0,8}内核|dkms.{0,30}(?:not installed|missing|no module"
                "|nothing|not found)|(?:no|missing|without|lacks?) (?:linux-|kernel[- ])?(?:headers"
                "|devel)|linux-modules-nvidia|kernel-devel|brought.{0,12}kernel"
                r"|reboot\w*.{0,20}after .{0,20}(?:upgrad|updat)|after .{0,30}(?:upgrad"
                r"|updat).{0,25}reboot|(?:upgrad|updat)\w*.{0,20}(?:and|then|,).{0,10}reboot"
                "|更新.{0,10}重启|升级.{0,10}重启|没有?(?:装)?.{0,4}dkms|头文件"
                "|headers.{0,20}(?:missing|not installed|not found)",
            ),
            none=(
                "nouveau|nova.?core|secure ?boot|mokutil|Key was rejected|compiler|gcc"
                r"|implicit declaration|has no member|mismatch|modprob\.|prime-select|GPL-only"
                r"|\bopen kernel|build (?:of|fails)|fails to (?:build|compile)|编译.{0,6}失败|legacy"
                r"|Legacy|SYSTEM_NOT_READY|Unknown Error|\bBAR\d|PCI ID|cu(?:Init|da[A-Z])|CUDA_ERROR"
                "|WSL|GPU instances? found|No MIG devices",
            ),
        ),
        Clue(
            all=(
                "NVIDIA-SMI has failed|modprobe.{0,40}nvidia",
                r"dkms status|/lib/modules/\d",
                r"uname -r|nvidia.{0,30}: (?:installed|added|built)|\d-generic",
            ),
            none=("nouveau|secure ?boot|mokutil|Key was|'off'|prime-select|compiler",),
            certainty=Certainty.POSSIBLE,
        ),
    ),
    remedy=BUILD,
    next_command="uname -r; dkms status; find /lib/modules -name 'nvidia.ko*'",
)
def driver_module_missing_for_running_kernel(
    modules: KernelModules,
    host: Host,
    pci: Pci | Unread = UNREAD,
    driver: Driver | Unread | None = UNREAD,
    container: Container | Unread | None = UNREAD,
    files: DriverFiles | None = None,
    *,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if not was_read(modules, "on_disk") and not isinstance(driver, Driver):
        yield from _by_dkms(modules, host, symptoms(sightings, *SYMPTOMS))
        return
    if isinstance(driver, UnsetType) or isinstance(container, UnsetType) or not isinstance(pci, Pci):
        return
    if driver is not None or container is not None or not own_gpus(pci):
        return
    if "nvidia" in modules.loaded or modules.built_in or modules.on_disk:
        return
    others = modules.other_kernels
    if others or (files and files.libraries):
        yield Hit(
            subject="driver",
            summary=message(
                "kernel {kernel} has no nvidia.ko; kernels that have one: {others}",
                "内核 {kernel} 没有 nvidia.ko；有该模块的内核：{others}",
                kernel=host.kernel,
                others=", ".join(others[:3]) or "-",
            ),
            because=cite("modules.on_disk", "host.kernel", "modules.other_kernels", "pci.nvidia_gpus"),
        )
    elif files:
        yield Hit(
            subject="driver",
            variant="not-installed",
            certainty=Certainty.LIKELY,
            summary=message(
                "{count} NVIDIA GPU(s) on the bus, but no NVIDIA driver is installed for kernel {kernel}",
                "总线上有 {count} 块 NVIDIA GPU，但内核 {kernel} 没有安装 NVIDIA 驱动",
                count=len(pci.nvidia_gpus),
                kernel=host.kernel,
            ),
            because=cite("pci.nvidia_gpus", "modules.on_disk", "driver_files.libraries"),
        )


def _by_dkms(modules: KernelModules, host: Host, seen: list[str]) -> Iterator[Hit]:
    """Judge what ``dkms status`` lists, where something did not work that a missing module would explain."""
    if not seen or not was_read(modules, "other_kernels") or not was_read(host, "kernel"):
        return
    built = modules.other_kernels
    if host.kernel in built or (was_read(modules, "loaded") and "nvidia" in modules.loaded):
        return
    yield Hit(
        subject="driver",
        certainty=Certainty.LIKELY,
        summary=message(
            "kernel {kernel} has no nvidia.ko; kernels that have one: {others}",
            "内核 {kernel} 没有 nvidia.ko；有该模块的内核：{others}",
            kernel=host.kernel,
            others=", ".join(built[:3]) or "-",
        ),
        because=cite("host.kernel", "modules.other_kernels", *seen),
    )
