"""Facts about the machine: host, kernel modules, PCI functions."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Host(Section, frozen=True, kw_only=True):
    """The machine and its operating system."""

    NAME: ClassVar[str] = "host"

    hostname: Fact[str] = UNREAD
    """Pseudonym of the host name."""
    boot_id: Fact[str | None] = UNREAD
    """Pseudonym of the kernel's boot id."""
    kernel: Fact[str] = UNREAD
    """Release of the running kernel, as ``uname -r`` prints it."""
    machine: Fact[str] = UNREAD
    """Processor architecture, as ``uname -m`` prints it."""
    distribution: Fact[str | None] = UNREAD
    """``ID`` of /etc/os-release, e.g. ``ubuntu``."""
    distribution_version: Fact[str | None] = UNREAD
    """``VERSION_ID`` of /etc/os-release."""
    glibc: Fact[str | None] = UNREAD
    """Version of the C library, ``major.minor``."""
    cpus: Fact[int] = UNREAD
    memory_bytes: Fact[int] = UNREAD
    uptime_seconds: Fact[float] = UNREAD
    cmdline: Fact[list[str]] = UNREAD
    """Kernel parameters that concern GPUs, IOMMU, PCI, huge pages or module loading."""
    hypervisor: Fact[str | None] = UNREAD
    """Hypervisor name when the kernel says it is virtualised, else None."""
    wsl: Fact[bool] = UNREAD
    """True inside the Windows Subsystem for Linux."""
    secure_boot: Fact[bool | None] = UNREAD
    """UEFI Secure Boot; None where there is no UEFI."""
    mok_keys: Fact[int | None] = UNREAD
    """Certificates that the machine's owner has enrolled with shim (MOK); None without shim."""
    mok_validation: Fact[bool | None] = UNREAD
    """False if shim was told not to check signatures; None if it says nothing."""


class Module(Row, frozen=True, kw_only=True):
    """One loaded kernel module."""

    size: Fact[int] = UNREAD
    """Bytes."""
    references: Fact[int] = UNREAD
    used_by: Fact[list[str]] = UNREAD


class KernelModules(Section, frozen=True, kw_only=True):
    """Kernel modules that drive or claim GPUs: loaded, on disk, blacklisted."""

    NAME: ClassVar[str] = "modules"
    TABLE: ClassVar[str] = "loaded"

    loaded: Fact[dict[str, Module]] = UNREAD
    """Loaded GPU and RDMA modules by name, from /proc/modules."""
    on_disk: Fact[list[str]] = UNREAD
    """Paths of nvidia.ko files that exist for the running kernel."""
    other_kernels: Fact[list[str]] = UNREAD
    """Releases of other installed kernels that have an nvidia.ko."""
    blacklisted: Fact[dict[str, str]] = UNREAD
    """Module name to the modprobe.d file that blacklists or disables it."""
    built_in: Fact[bool] = UNREAD
    """True if the nvidia driver shows in /sys/module although no file was found."""


class PciFunction(Row, frozen=True, kw_only=True):
    """One display or accelerator function on the PCI bus."""

    vendor: Fact[str] = UNREAD
    """Four hexadecimal digits; NVIDIA is ``10de``."""
    device: Fact[str] = UNREAD
    pci_class: Fact[str] = UNREAD
    """Six hexadecimal digits; ``03....`` is a display controller."""
    driver: Fact[str | None] = UNREAD
    """Kernel driver bound to the function; None if none is."""
    link_width: Fact[int | None] = UNREAD
    link_width_max: Fact[int | None] = UNREAD
    link_speed: Fact[str | None] = UNREAD
    link_speed_max: Fact[str | None] = UNREAD
    numa: Fact[int | None] = UNREAD
    """NUMA node of its slot; None where the kernel knows none, as in many virtual machines."""
    upstream: Fact[list[str]] = UNREAD
    """Of NVIDIA functions: addresses of the ports above it, the nearest first."""
    errors: Fact[dict[str, int] | None] = UNREAD
    """Of NVIDIA functions: counters of its AER that are not zero; None if it counts none."""
    iommu: Fact[str | None] = UNREAD
    """Of NVIDIA functions: type of its IOMMU group, e.g. ``identity`` or ``DMA-FQ``; None without one."""
    config_readable: Fact[bool] = UNREAD
    """False if configuration space reads as all ones: the device does not answer."""


class PciPort(Row, frozen=True, kw_only=True):
    """One bridge or root port above an NVIDIA GPU."""

    unread: dict[str, str] = {}
    """State of every fact that is missing."""
    errors: Fact[dict[str, int] | None] = UNREAD
    """Counters of its AER that are not zero, e.g. ``correctable BadTLP``; None if it counts none."""
    access_control: Fact[list[str] | None] = UNREAD
    """Switches of ACS that are on: ``request-redirect`` …; None without ACS. Root reads them."""


class Pci(Section, frozen=True, kw_only=True):
    """Display functions and NVSwitches found in /sys/bus/pci/devices."""

    NAME: ClassVar[str] = "pci"
    TABLE: ClassVar[str] = "functions"

    functions: Fact[dict[str, PciFunction]] = UNREAD
    """By address, e.g. ``0000:00:06.0``."""
    nvidia_gpus: Fact[list[str]] = UNREAD
    """Addresses of NVIDIA display or 3D controllers."""
    ports: Fact[dict[str, PciPort]] = UNREAD
    """The ports above NVIDIA GPUs, by address."""
    nvswitches: Fact[int] = UNREAD
    """Number of NVIDIA bridges of class 0680."""
