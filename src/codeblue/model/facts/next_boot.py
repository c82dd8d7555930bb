"""Facts about the boot that comes next: read on demand only."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Section


class NextBoot(Section, frozen=True, kw_only=True):
    """What the next boot will start with. Absent in a container, and where no kernel is installed."""

    NAME: ClassVar[str] = "next_boot"

    kernel: Fact[str | None] = UNREAD
    """Release of the kernel that will boot; None if the boot entry names none that has modules."""
    chosen_by: Fact[str] = UNREAD
    """``grub``, ``grub-once``, ``bls``, ``systemd-boot``, or ``newest-file``, which is a guess."""
    entry: Fact[str | None] = UNREAD
    """Title or id of the boot entry; None if no boot loader's configuration was found."""
    parameters: Fact[list[str] | None] = UNREAD
    """The entry's kernel parameters, the same selection as ``host.cmdline``; None without an entry."""
    kernels: Fact[list[str]] = UNREAD
    """Releases of the kernels that are installed, the newest last."""
    modules: Fact[list[str]] = UNREAD
    """Paths of nvidia.ko files for the kernel that will boot."""
    module_version: Fact[str | None] = UNREAD
    """Version that the first of these files says of itself."""
    module_signed: Fact[bool | None] = UNREAD
    """A signature is appended to the first of these files; by whom is not looked at."""
    nouveau: Fact[bool] = UNREAD
    """The kernel that will boot has a nouveau.ko."""
    nouveau_disabled: Fact[dict[str, float]] = UNREAD
    """Every modprobe.d file that disables nouveau, with the time of its last change."""
    dkms: Fact[dict[str, str]] = UNREAD
    """``installed``, ``built`` or ``added`` for that kernel, by DKMS package, e.g. ``nvidia/580.95.05``."""
    headers: Fact[bool] = UNREAD
    """The headers of that kernel are installed."""
    initramfs: Fact[str | None] = UNREAD
    initramfs_modules: Fact[list[str] | None] = UNREAD
    """Modules for NVIDIA GPUs that it holds, e.g. ``nouveau.ko``; None without an image."""
    initramfs_disabled: Fact[list[str] | None] = UNREAD
    """Modules that the modprobe.d inside it disables; None without an image."""
    initramfs_version: Fact[str | None] = UNREAD
    """Version of the nvidia.ko in it; None if there is none."""
    initramfs_time: Fact[float | None] = UNREAD
    """When that file was written, seconds since 1970."""
    initramfs_booted: Fact[bool] = UNREAD
    """The running kernel is the same one and was started after this initramfs was written."""
    enabled: Fact[list[str]] = UNREAD
    """Units that start at boot: NVIDIA's, and those that build kernel modules."""
    reboot_required: Fact[bool] = UNREAD
    """The package manager left a mark that it wants a reboot."""
