"""
## What it means
The kernel's new Rust driver, nova-core, has claimed the NVIDIA GPU at boot. It is the successor of
nouveau and still under construction: it holds the GPU but offers no CUDA. The NVIDIA module finds no
device to drive.

## Why it happens
Some distribution kernels (early ones of the 7.0 series in Ubuntu 26.04, others from 6.18 on) ship
nova_core as a module; it takes Turing, Ampere and Ada GPUs. Blacklists that were written for nouveau do
not mention it, so machines that were installed with NVIDIA's own installer meet it after a kernel
update.

## When it is not a fault
If another NVIDIA GPU is bound to the NVIDIA driver and works, this is not reported. Developers of nova
run it on purpose.

## What to do
Write `blacklist nova_core` and `blacklist nova_drm` (keep `blacklist nouveau`) into
/etc/modprobe.d/blacklist-nova.conf, rebuild the initramfs of the kernel that will boot, and reboot. A later
kernel of the distribution may have it switched off.

## How safe the fix is
The file can be removed again, and the former initramfs is kept. It needs a reboot, for which codeblue leaves
the moment to you; have another way into the machine while the screen may
stay dark.
"""

from collections.abc import Iterator

from codeblue.faults.driver.blacklist import NOVA, keep_out, next_kernel
from codeblue.faults.driver.own_gpus import driven_by
from codeblue.faults.words import NO_GPU
from codeblue.model.facts import NextBoot, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NAMES = ("nova_core", "nova-core", "NovaCore")

REBOOT = Step(Verb.REBOOT, message("the GPU is claimed at boot", "GPU 是在开机时被占用的"))
BLACKLIST = Remedy(
    message(
        "blacklist nova_core and nova_drm, rebuild the initramfs, reboot",
        "屏蔽 nova_core 和 nova_drm，重建 initramfs，然后重启",
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "write blacklist nova_core, blacklist nova_drm into /etc/modprobe.d, rebuild the initramfs",
                "在 /etc/modprobe.d 下写入 blacklist nova_core 和 blacklist nova_drm，然后重建 initramfs",
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
        "blacklist nova_core and nova_drm, rebuild the initramfs of {kernel}, reboot",
        "屏蔽 nova_core 和 nova_drm，为 {kernel} 重建 initramfs，然后重启",
        kernel=kernel,
    )
    return keep_out(summary, kernel, (NOVA,), REBOOT)


@fault(
    "nova-core-owns-gpu",
    title=Text(
        "nova-core holds the GPU, not the NVIDIA driver", "占用 GPU 的是 nova-core，而不是 NVIDIA 驱动"
    ),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nvidia-module-not-loaded",
        "nvml-init-failed",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "nouveau-owns-gpu",
    ),
    references=(
        Reference(
            "Olares pull request 3963: nova_core claims the GPU on Ubuntu 26.04",
            "https://github.com/beclab/Olares/pull/3963",
            "2026-11-30",
        ),
        Reference("The Linux kernel: nova-core", "https://docs.kernel.org/gpu/nova/index.html", "2026-11-30"),
    ),
    signatures=(
        Signature("already bound to", r"NVRM: GPU (?P<gpu>\S+) is already bound to (NovaCore|nova_core)"),
        Signature(
            "Kernel driver in use: ", "Kernel driver in use: (?:nova[_-]core|NovaCore)", Certainty.LIKELY
        ),
        Signature("nova_core", r"^nova_core +\d{4,} +\d", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"nova[_-]core|NovaCore|\bnova\.ko|nova (?:driver|module)|nova_drm|nova-drm",
                NO_GPU + "|loaded|bound|claim|in use|grabs?|takes|conflict|占用|加载|冲突",
            ),
            none=("OpenStack|openstack|compute service",),
        ),
    ),
    remedy=BLACKLIST,
    next_command="lspci -nnk -d 10de: | grep -A3 -iE '3d|vga'",
)
def nova_core_owns_gpu(pci: Pci, *, next_boot: NextBoot | None = None) -> Iterator[Hit]:
    kernel = next_kernel(next_boot)
    held = driven_by(pci, *NAMES)
    if held and not driven_by(pci, "nvidia"):
        yield Hit(
            subject="driver",
            summary=message(
                "nova-core is bound to {count} NVIDIA GPU(s), the first at {first}",
                "nova-core 绑定了 {count} 块 NVIDIA GPU，第一块在 {first}",
                count=len(held),
                first=held[0],
            ),
            because=cite(*(f"pci.functions[{address}].driver" for address in held[:3])),
            remedy=blacklist(kernel) if kernel else None,
        )
