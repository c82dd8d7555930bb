"""The machine: kernel, distribution, size, virtualisation, Secure Boot."""

import os
import re
import struct

from codeblue_probe import files
from codeblue_probe.readers.hypervisor import hypervisor
from codeblue_probe.report import Report, Unread

PARAMETERS = re.compile(
    r"(?:nouveau|nvidia|nvidia_\w+|nova_core|vfio|vfio_pci|vfio-pci|kvm|rdma|mlx5_core)\."
    r"|modprob|module_blacklist|rd\.driver\.|driver\.blacklist|rdblacklist|module\.|lockdown"
    r"|iommu|intel_iommu|amd_iommu|pci$|pci=|pcie_|pcie_aspm|nomodeset|video=|vga="
    r"|[\w.-]*blacklist=|noveau|nouveau[-_]"
    r"|hugepages|default_hugepagesz|transparent_hugepage|numa|isolcpus|cgroup|systemd\.unified_cgroup"
    r"|systemd\.legacy_systemd_cgroup|swapaccount|nomodule|noapic|nomsi|swiotlb|efi=|mem=|memmap"
)
"""Kernel parameters that are taken, by their beginning. Misspelt ones too."""

SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

MOK = "/sys/firmware/efi/efivars/%s-605dab50-e046-4300-abb6-3dd810dd8b23"
"""Variables of shim, which starts the boot loader under Secure Boot."""

X509 = bytes.fromhex("a159c0a5e494a74a87b5ab155c2bf072")
"""EFI_CERT_X509_GUID as it lies in memory."""


def read(context, sections):
    """Read the host section."""
    report = Report("uname, /proc")
    system = os.uname()
    report.put("hostname", system.nodename)
    report.put("kernel", system.release)
    report.put("machine", system.machine)
    report.attempt("boot_id", lambda: files.line("/proc/sys/kernel/random/boot_id"))
    _distribution(report)
    report.attempt("glibc", _glibc, "confstr")
    report.put("cpus", os.cpu_count() or 1)
    report.attempt("memory_bytes", _memory, "/proc/meminfo")
    report.attempt("uptime_seconds", _uptime, "/proc/uptime")
    report.attempt("cmdline", _cmdline, "/proc/cmdline")
    report.put("wsl", _wsl(system.release))
    report.attempt("hypervisor", lambda: hypervisor(system.machine), "/proc/cpuinfo, DMI")
    report.attempt("secure_boot", _secure_boot, SECURE_BOOT)
    report.attempt("mok_keys", _mok_keys, MOK % "MokListRT")
    report.attempt("mok_validation", _mok_validation, MOK % "MokSBStateRT")
    return report


def _distribution(report):
    path = _release_file()
    report.attempt("distribution", lambda: distribution()["distribution"], path)
    report.attempt("distribution_version", lambda: distribution()["distribution_version"], path)


def distribution():
    """Return name and version of the distribution. Raises OSError."""
    told = files.pairs(files.text(_release_file()), "=")
    return {"distribution": told.get("ID"), "distribution_version": told.get("VERSION_ID")}


def _release_file():
    paths = ("/etc/os-release", "/usr/lib/os-release")
    return next((path for path in paths if files.exists(path)), paths[-1])


def _glibc():
    try:
        name, version = os.confstr("CS_GNU_LIBC_VERSION").split()
    except (ValueError, AttributeError):  # another C library: the name is unknown or has no value
        return None
    return version if name == "glibc" else None


def _memory():
    words = files.pairs(_needed("/proc/meminfo"), ":")["MemTotal"].split()
    return int(words[0]) * 1024


def _uptime():
    return float(_needed("/proc/uptime").split()[0])


def _cmdline():
    return [word for word in _needed("/proc/cmdline").split() if PARAMETERS.match(word)]


def _needed(path):
    """Return a file's text; every Linux has these files, so a missing one means that /proc is hidden."""
    try:
        return files.text(path)
    except FileNotFoundError as error:
        raise Unread("error", str(error))


def _wsl(release):
    if "microsoft" in release.lower() or "wsl" in release.lower():
        return True
    return any(files.exists("/proc/sys/fs/binfmt_misc/" + name) for name in ("WSLInterop", "WSLInterop-late"))


def _secure_boot():
    if files.exists("/sys/firmware/efi"):
        try:
            # Four bytes of attributes, then the value.
            return files.text(SECURE_BOOT, 16)[4:5] == "\x01"
        except FileNotFoundError:
            if files.names("/sys/firmware/efi/efivars"):
                return False
            raise Unread("unsupported", "efivars is not mounted")
    if not files.names("/sys/firmware"):
        # Container engines hide the folder; on a machine without UEFI it holds acpi or a device tree.
        raise Unread("unsupported", "/sys/firmware is hidden")
    return None


def _mok(name):
    """Return the value of one of shim's variables; None without shim."""
    if not files.names("/sys/firmware/efi/efivars"):
        if files.exists("/sys/firmware/efi") or not files.names("/sys/firmware"):
            raise Unread("unsupported", "efivars is not shown here")
        return None
    with open(files.ROOT + MOK % name, "rb") as stream:
        return stream.read(1 << 20)[4:]


def _mok_keys():
    """Count the certificates that the machine's owner has enrolled."""
    content, count = _mok("MokListRT"), 0
    if content is None:
        return None
    while len(content) >= 28:
        size, head, each = struct.unpack_from("<III", content, 16)
        if size < 28 or size > len(content):
            raise Unread("error", "MokListRT is damaged")
        if content[:16] == X509 and each:
            count += (size - 28 - head) // each
        content = content[size:]
    return count


def _mok_validation():
    """Return whether shim checks signatures; None without shim. The variable says 1 when it does not."""
    content = _mok("MokSBStateRT")
    return None if content is None else content[:1] != b"\1"
