"""
## What it means
The kernel that will boot has both an NVIDIA module that was installed beside it (DKMS, a driver package)
and the kernel's own nouveau, and nothing keeps nouveau out: no file in modprobe.d, no kernel parameter.
Both claim the same GPU, and whichever is loaded first gets it.

## Why it happens
The driver's packages and its installer write the blacklist by themselves; it is missing where modules
were copied or built by hand, where somebody cleaned up /etc/modprobe.d, or where a new kernel came with
the package of extra modules that holds nouveau.

## When it is not a fault
Many machines win the race at every boot. If the very kernel that will boot has come up without nouveau
this time, the finding is only possible. Kernels without a nouveau module are not named at all.

## What to do
Write `blacklist nouveau` and `options nouveau modeset=0` into /etc/modprobe.d/blacklist-nouveau.conf and
rebuild the initramfs (`sudo update-initramfs -u -k all` or `sudo dracut -f --regenerate-all`).

## How safe the fix is
The file can be removed again, and the former initramfs is kept; nothing changes before the reboot. Until
the NVIDIA module is loaded the console has only a basic mode: have another way into the machine before you
reboot.
"""

from collections.abc import Iterator

from codeblue.faults.driver.blacklist import NOUVEAU, keep_out, next_kernel
from codeblue.faults.driver.boot_start import boots_from_here, keeps_nouveau_out
from codeblue.faults.driver.nouveau_owns_gpu import BLACKLIST
from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Host, KernelModules, NextBoot, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

KEEP_OUT = message("blacklist nouveau and rebuild the initramfs", "屏蔽 nouveau 并重建 initramfs")


@fault(
    "nouveau-not-blacklisted-for-next-boot",
    title=Text(
        "Nothing will keep nouveau off the GPU at the next boot", "下次启动时没有任何设置屏蔽 nouveau"
    ),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA driver README, interaction with the Nouveau driver",
            "https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/commonproblems.html",
            "2026-11-30",
        ),
    ),
    remedy=BLACKLIST,
    next_command="grep -r nouveau /etc/modprobe.d /usr/lib/modprobe.d; cat /proc/cmdline",
)
def nouveau_not_blacklisted_for_next_boot(
    next_boot: NextBoot, modules: KernelModules, pci: Pci, host: Host
) -> Iterator[Hit]:
    if not own_gpus(pci) or not boots_from_here(host, next_boot):
        return
    if not next_boot.nouveau or next_boot.nouveau_disabled or not next_boot.modules:
        return
    if keeps_nouveau_out(next_boot.parameters or ()):
        return
    kernel = next_kernel(next_boot)
    came_up = next_boot.kernel == host.kernel and "nouveau" not in modules.loaded
    yield Hit(
        subject="driver",
        certainty=Certainty.POSSIBLE if came_up else Certainty.LIKELY,
        summary=message(
            "kernel {kernel} has nouveau and {path}, and nothing keeps nouveau out",
            "内核 {kernel} 既有 nouveau 也有 {path}，而没有任何设置屏蔽 nouveau",
            kernel=next_boot.kernel,
            path=next_boot.modules[0],
        ),
        because=cite(
            "next_boot.nouveau", "next_boot.nouveau_disabled", "next_boot.parameters", "next_boot.modules"
        ),
        remedy=keep_out(KEEP_OUT, kernel, (NOUVEAU,)) if kernel else None,
    )
