"""Keeping another driver off the GPUs: a file of modprobe.d, and the initramfs that has to know of it."""

from codeblue.model.facts import NextBoot
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Message, message

FOLDER = "/etc/modprobe.d/"
NOUVEAU = Step(
    Verb.FILE_WRITE,
    message("keeps nouveau from being loaded", "阻止加载 nouveau"),
    {"path": f"{FOLDER}blacklist-nouveau.conf", "content": "blacklist nouveau\noptions nouveau modeset=0\n"},
)
NOVA = Step(
    Verb.FILE_WRITE,
    message("keeps nova_core and nova_drm from being loaded", "阻止加载 nova_core 和 nova_drm"),
    {"path": f"{FOLDER}blacklist-nova.conf", "content": "blacklist nova_core\nblacklist nova_drm\n"},
)


def initramfs(kernel: str) -> Step:
    """Return the step that builds the image of a kernel anew."""
    return Step(
        Verb.INITRAMFS_REBUILD,
        message(
            "what is in modprobe.d counts in the early boot only once the image holds it",
            "modprobe.d 的内容写进镜像之后，才在启动早期生效",
        ),
        {"kernel": kernel},
    )


def next_kernel(next_boot: NextBoot | None) -> str | None:
    """Return the kernel that will boot and has an initramfs; None if that is not known."""
    if next_boot is None or not was_read(next_boot, "kernel") or not was_read(next_boot, "initramfs"):
        return None
    return next_boot.kernel if next_boot.initramfs else None


def keep_out(summary: Message, kernel: str, files: tuple[Step, ...], reboot: Step | None = None) -> Remedy:
    """Return the remedy: the files, then the image, then the reboot, which is a person's to choose."""
    steps = (*files, initramfs(kernel), *((reboot,) if reboot else ()))
    return Remedy(summary, steps, Automation.APPROVAL, Undo.COMPENSATING)
