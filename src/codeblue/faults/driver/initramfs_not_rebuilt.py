"""
## What it means
A file in modprobe.d keeps nouveau out, but the early image (initramfs) from which the machine boots does
not know of it: it was written before. The image has its own copy of the old configuration and of nouveau,
which may be loaded early, take the GPU and keep the NVIDIA driver out. Or the image holds nvidia.ko of the
driver that was there before (variant old-module): it is loaded early, and the new libraries refuse it.

## Why it happens
The file was written by hand or by configuration management, and the image was not rebuilt afterwards.
Packages do that by themselves, people forget it. An upgrade of the driver rebuilds the image only if the
packaging thinks of it: DKMS on Debian does not.

## When it is not a fault
An image without nouveau, or with a blacklist of its own, does no harm however old it is: the image is
looked into. Where that was not possible (packed by a program that is not here, or not readable) only its
age is judged, and a file that was merely touched looks new. If the running kernel has booted from this
very image without nouveau, or kernel parameters keep nouveau out, nothing is claimed.

## What to do
Rebuild the image of the kernel that will boot: `sudo update-initramfs -u -k KERNEL` (Debian, Ubuntu) or
`sudo dracut -f --kver KERNEL` (RHEL, Fedora, SUSE). `lsinitramfs` or `lsinitrd` lists what is in it.

## How safe the fix is
The image is replaced, and the former one is kept, so that `codeblue undo` can put it back; a power cut in
between can leave it damaged, and a full /boot makes the build fail: look at `df /boot` first and keep an
older kernel in the boot menu.
"""

from collections.abc import Iterator

from codeblue.faults.driver.blacklist import initramfs
from codeblue.faults.driver.boot_start import boots_from_here, keeps_nouveau_out
from codeblue.faults.driver.own_gpus import driven_by, own_gpus
from codeblue.model.facts import Host, NextBoot, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Message, Text, message

INSIDE = ("next_boot.initramfs_modules", "next_boot.initramfs_disabled")


def rebuild(kernel: str) -> Remedy:
    """Build the image of this kernel anew."""
    return Remedy(
        message("rebuild the initramfs of kernel {kernel}", "为内核 {kernel} 重建 initramfs", kernel=kernel),
        (initramfs(kernel),),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )


REBUILD = Remedy(
    message("rebuild the initramfs of the kernel that will boot", "为将要启动的内核重建 initramfs"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run sudo update-initramfs -u -k KERNEL, or sudo dracut -f --kver KERNEL",
                "运行 sudo update-initramfs -u -k 内核版本，或 sudo dracut -f --kver 内核版本",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "initramfs-not-rebuilt",
    title=Text(
        "The initramfs is older than the file that keeps nouveau out", "initramfs 比屏蔽 nouveau 的文件更旧"
    ),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    explains=(
        "nouveau-owns-gpu",
        "nvidia-smi-failed",
        "nvidia-module-not-loaded",
        "driver-module-missing-for-running-kernel",
    ),
    references=(
        Reference(
            "NVIDIA driver installation guide",
            "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                "nouveau",
                "initramfs|initrd|dracut|mkinitcpio|update-initramfs",
                r"blacklist|黑名单|屏蔽|禁用|modprobe\.d|options nouveau",
            ),
            none=(r"modprob\.|noveau|nova[_-]core",),
            bites=True,
        ),
    ),
    remedy=REBUILD,
    next_command="ls -lt /boot /etc/modprobe.d; lsinitramfs /boot/initrd.img | grep -E 'nouveau|modprobe'",
)
def initramfs_not_rebuilt(next_boot: NextBoot, pci: Pci, host: Host) -> Iterator[Hit]:
    kernel = next_boot.kernel
    if kernel is None or not own_gpus(pci) or not boots_from_here(host, next_boot):
        return
    if _holds_another_driver(next_boot):
        yield Hit(
            subject="driver",
            certainty=Certainty.LIKELY,
            variant="old-module",
            summary=message(
                "{image} holds nvidia.ko {old}, and {new} is installed for this kernel",
                "{image} 里的 nvidia.ko 是 {old}，而为此内核安装的是 {new}",
                image=next_boot.initramfs,
                old=next_boot.initramfs_version,
                new=next_boot.module_version,
            ),
            because=cite("next_boot.initramfs_version", "next_boot.module_version", "next_boot.modules"),
            remedy=rebuild(kernel),
        )
    files = next_boot.nouveau_disabled
    if next_boot.initramfs is None or not files or not next_boot.nouveau or not _lets_in(next_boot):
        return
    if keeps_nouveau_out(next_boot.parameters or (), early=True):
        return
    held = driven_by(pci, "nouveau")
    if next_boot.initramfs_booted and not held:
        return
    looked = was_read(next_boot, "initramfs_modules")
    first = min(files, key=lambda path: files[path])
    yield Hit(
        subject="driver",
        certainty=Certainty.LIKELY if held or looked else Certainty.POSSIBLE,
        summary=_inside(next_boot, first) if looked else _older(next_boot, first),
        because=cite(
            "next_boot.initramfs",
            *(INSIDE if looked else ("next_boot.initramfs_time",)),
            f"next_boot.nouveau_disabled[{first}]",
        ),
        remedy=rebuild(kernel),
    )


def _holds_another_driver(next_boot: NextBoot) -> bool:
    if not was_read(next_boot, "initramfs_version") or not was_read(next_boot, "module_version"):
        return False
    versions = (next_boot.initramfs_version, next_boot.module_version)
    return None not in versions and versions[0] != versions[1]


def _lets_in(next_boot: NextBoot) -> bool:
    """True if the image can load nouveau: by what is in it, else because it is older than the file."""
    if was_read(next_boot, "initramfs_modules"):
        inside = next_boot.initramfs_modules or ()
        return "nouveau.ko" in inside and "nouveau" not in (next_boot.initramfs_disabled or ())
    written = next_boot.initramfs_time
    return written is not None and min(next_boot.nouveau_disabled.values()) > written


def _inside(next_boot: NextBoot, file: str) -> Message:
    return message(
        "{image} holds nouveau and does not know of {file}, which keeps nouveau out",
        "{image} 里有 nouveau，却没有用来屏蔽 nouveau 的 {file}",
        image=next_boot.initramfs,
        file=file,
    )


def _older(next_boot: NextBoot, file: str) -> Message:
    return message(
        "{image} was written before {file}, which keeps nouveau out",
        "{image} 写于 {file} 之前，而后者用来屏蔽 nouveau",
        image=next_boot.initramfs,
        file=file,
    )
