"""
## What it means
The open driver of the kernel, nouveau, is bound to the NVIDIA GPU. One PCI function has one driver, so
the NVIDIA module cannot have it: loading it ends with "No such device". nouveau offers no CUDA.

## Why it happens
nouveau comes with every kernel and takes each NVIDIA GPU that it meets first. The driver's package
normally blacklists it; that is missing after an installation by other means, after an image was copied,
or when the blacklist file is there but the initramfs was not rebuilt, so that nouveau is already loaded
before the root file system with the blacklist is seen.

## When it is not a fault
If another NVIDIA GPU is bound to the NVIDIA driver and works, nouveau may hold an old card for the
display on purpose; that is not reported. On a desktop without CUDA nouveau is a good driver.

## What to do
Write `blacklist nouveau` and `options nouveau modeset=0` into /etc/modprobe.d/blacklist-nouveau.conf,
rebuild the initramfs of the kernel that will boot (`update-initramfs -u`, or `dracut --force`) and reboot.
In a hurry, `rd.driver.blacklist=nouveau modprobe.blacklist=nouveau` on the kernel's command line does the
same for one boot.

## How safe the fix is
The file can be removed again, and the former initramfs is kept. It needs a reboot, for which codeblue leaves
the moment to you, and until the NVIDIA module loads the screen has only a
basic mode: have another way into the machine (ssh, the board's console).
"""

from collections.abc import Iterator

from codeblue.faults.driver.blacklist import NOUVEAU, keep_out, next_kernel
from codeblue.faults.driver.own_gpus import driven_by
from codeblue.faults.told import symptoms
from codeblue.faults.words import NO_GPU
from codeblue.model.facts import KernelModules, NextBoot, Pci, Sightings
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
REBOOT = Step(
    Verb.REBOOT, message("nouveau gives the GPU back only at boot", "nouveau 只有在重启时才会交出 GPU")
)
BLACKLIST = Remedy(
    message("blacklist nouveau, rebuild the initramfs, reboot", "屏蔽 nouveau，重建 initramfs，然后重启"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "write blacklist nouveau into /etc/modprobe.d/blacklist-nouveau.conf, rebuild the initramfs",
                "在 /etc/modprobe.d/blacklist-nouveau.conf 中写入 blacklist nouveau，然后重建 initramfs",
            ),
        ),
        REBOOT,
    ),
    Automation.HUMAN,
    Undo.NONE,
)


def blacklist(kernel: str) -> Remedy:
    """Write the file, build the image of this kernel, and let a person reboot."""
    summary = message(
        "blacklist nouveau, rebuild the initramfs of {kernel}, reboot",
        "屏蔽 nouveau，为 {kernel} 重建 initramfs，然后重启",
        kernel=kernel,
    )
    return keep_out(summary, kernel, (NOUVEAU,), REBOOT)


@fault(
    "nouveau-owns-gpu",
    title=Text("nouveau holds the GPU, not the NVIDIA driver", "占用 GPU 的是 nouveau，而不是 NVIDIA 驱动"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nvidia-module-not-loaded",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "gpu-xid-error",
        "operator-driver-conflicts-with-host-driver",
    ),
    references=(
        Reference(
            "NVIDIA driver installation guide",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA driver README, interaction with the Nouveau driver",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/commonproblems.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("already bound to nouveau", r"NVRM: GPU (?P<gpu>\S+) is already bound to nouveau"),
        Signature(
            "Nouveau kernel driver is currently in use", r"The Nouveau kernel driver is currently in use"
        ),
        Signature("nouveau", "Kernel driver in use: nouveau", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                "nouveau",
                NO_GPU + "|operator|driver-daemonset|installer|conflict|crash|panic|collid|(?:is|gets|still"
                "|remains|was) (?:loaded|active|used|running|in use|bound)|not loaded|冲突|加载|占用"
                "|panic",
            ),
            none=(
                "nova[_-]core|^ *blacklist nouveau|blacklist[-_]nouveau|blacklist.{0,40}(?:right"
                r"|correct|place|exists|there)|initramfs|initrd|dracut|mkinitcpio|modprob\.|noveau"
                "|blacklist (?:file )?nouveau.{0,30}(?:ok|done)|nouveau.{0,30}(?:not loaded"
                "|is blacklisted|already blacklisted|disabled|unloaded|removed)|no nouveau"
                "|secure ?boot|Key was rejected|没有 ?nouveau|已(?:禁用|屏蔽|拉黑) ?nouveau"
                "|nouveau ?已(?:经)?(?:禁用|屏蔽)"
                r"|^nvidia +\d+ +[1-9]",
            ),
        ),
    ),
    remedy=BLACKLIST,
    next_command="lspci -nnk -d 10de: | grep -A3 -iE '3d|vga'",
)
def nouveau_owns_gpu(
    pci: Pci | Unread = UNREAD,
    *,
    next_boot: NextBoot | None = None,
    modules: KernelModules | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if not isinstance(pci, Pci):
        yield from _by_modules(modules, symptoms(sightings, *SYMPTOMS))
        return
    held = driven_by(pci, "nouveau")
    kernel = next_kernel(next_boot)
    if held and not driven_by(pci, "nvidia"):
        yield Hit(
            subject="driver",
            summary=message(
                "nouveau is bound to {count} NVIDIA GPU(s), the first at {first}",
                "nouveau 绑定了 {count} 块 NVIDIA GPU，第一块在 {first}",
                count=len(held),
                first=held[0],
            ),
            because=cite(*(f"pci.functions[{address}].driver" for address in held[:3])),
            remedy=blacklist(kernel) if kernel else None,
        )


def _by_modules(modules: KernelModules | None, seen: list[str]) -> Iterator[Hit]:
    """Judge a list of modules, where something did not work that nouveau would explain."""
    if modules is None or not seen or not was_read(modules, "loaded") or "nvidia" in modules.loaded:
        return
    nouveau = modules.loaded.get("nouveau")
    if nouveau is not None and (nouveau.references or nouveau.used_by):
        yield Hit(
            subject="driver",
            certainty=Certainty.LIKELY,
            summary=message(
                "nouveau is loaded and in use, the module nvidia is not loaded",
                "nouveau 已加载且正在使用，而模块 nvidia 没有加载",
            ),
            because=cite("modules.loaded", *seen),
        )
