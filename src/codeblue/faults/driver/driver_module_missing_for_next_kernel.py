"""
## What it means
The GPU works now, but the next boot starts another kernel, and that kernel has no `nvidia.ko` on disk.
After a reboot there will be no driver.

## Why it happens
A new kernel was installed, often by an unattended upgrade, and the module was not built for it: the
headers of the new kernel were missing, DKMS failed, or the prebuilt module package lags behind. Nothing
shows until somebody reboots, sometimes weeks later, and then on many machines at once.

## When it is not a fault
Where the driver is brought in by a container after boot (GPU operator), or a kernel is loaded from
outside the disk (kexec, a cloud's direct boot), the files in /boot say nothing; this is not claimed if
the running kernel has no module on disk either or is not among the installed ones. `dkms.service` and
`akmods.service` build a missing module while the machine boots if the headers are there: then the finding
is only possible, and the boot merely slow.

## What to do
Install the headers of that kernel and build for it: `sudo dkms autoinstall -k KERNEL`, or install the
distribution's prebuilt modules for it. Or keep the kernel that works: choose it as GRUB's default
(`grub-set-default`, `grubby --set-default`). Then ask again with `codeblue check --next-boot`.

## How safe the fix is
Building for a kernel that is not running touches nothing that runs. Choosing another default entry is
undone by choosing the old one. Do not reboot before the check is clear.
"""

from collections.abc import Iterator

from codeblue.faults.driver.boot_start import PATIENT_BUILDERS, boots_from_here, sureness
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Host, KernelModules, NextBoot, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "driver-module-missing-for-next-kernel",
    title=Text(
        "The kernel of the next boot has no NVIDIA kernel module", "下次启动的内核没有对应的 NVIDIA 内核模块"
    ),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.ERROR,
    references=(
        Reference(
            "NVIDIA driver installation guide, kernel modules",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/kernel-modules.html",
            "2026-11-30",
        ),
    ),
    next_command="dkms status; ls /boot/vmlinuz-*; find /lib/modules -name 'nvidia.ko*'",
)
def driver_module_missing_for_next_kernel(
    next_boot: NextBoot, modules: KernelModules, pci: Pci, host: Host
) -> Iterator[Hit]:
    if not own_gpus(pci) or not modules.on_disk or not boots_from_here(host, next_boot):
        return
    kernel = next_boot.kernel
    if kernel == host.kernel or next_boot.modules:
        return
    yield Hit(
        subject="driver",
        certainty=Certainty.POSSIBLE if _built_at_boot(next_boot) else sureness(next_boot),
        summary=message(
            "the next boot starts kernel {kernel}, which has no nvidia.ko; the running {running} has one",
            "下次将启动内核 {kernel}，它没有 nvidia.ko；正在运行的 {running} 有",
            kernel=kernel,
            running=host.kernel,
        ),
        because=cite(
            "next_boot.kernel", "next_boot.chosen_by", "next_boot.modules", "modules.on_disk", "host.kernel"
        ),
        remedy=_build(str(kernel)),
    )


def _built_at_boot(next_boot: NextBoot) -> bool:
    builds = any(unit in next_boot.enabled for unit in PATIENT_BUILDERS)
    return builds and next_boot.headers


def _build(kernel: str) -> Remedy:
    step = Step(
        Verb.INSTRUCT,
        message(
            "install the headers of {kernel}, then run: sudo dkms autoinstall -k {kernel}",
            "先安装 {kernel} 的内核头文件，再运行：sudo dkms autoinstall -k {kernel}",
            kernel=kernel,
        ),
    )
    summary = message("build the module for that kernel before any reboot", "在重启之前为该内核构建模块")
    return Remedy(summary, (step,), Automation.HUMAN, Undo.COMPENSATING)
