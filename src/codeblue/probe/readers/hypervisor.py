"""Which hypervisor runs this machine, if the kernel says that one does."""

from codeblue_probe import files

DMI = (
    ("vmware", "vmware"),
    ("microsoft corporation virtual machine", "hyperv"),
    ("innotek", "virtualbox"),
    ("virtualbox", "virtualbox"),
    ("parallels", "parallels"),
    ("xen", "xen"),
    ("qemu", "kvm"),
    ("kvm", "kvm"),
    ("openstack", "kvm"),
    ("google compute engine", "kvm"),
    ("amazon ec2", "kvm"),
    ("alibaba cloud", "kvm"),
    ("digitalocean", "kvm"),
    ("bhyve", "bhyve"),
)
"""Words of the firmware's vendor and product names, first match counts."""

CLOCKS = (("kvm-clock", "kvm"), ("hyperv_clocksource", "hyperv"), ("xen", "xen"))
"""A small virtual machine may have no firmware tables; its clock names the hypervisor."""


def hypervisor(machine):
    """Return a name such as ``kvm``, ``unknown`` if none is given, None on bare metal."""
    if files.exists("/sys/hypervisor/type"):
        return files.line("/sys/hypervisor/type")
    if machine in ("x86_64", "i686") and not _flagged():
        return None
    words = (_line("/sys/class/dmi/id/sys_vendor") + " " + _line("/sys/class/dmi/id/product_name")).lower()
    if machine not in ("x86_64", "i686"):
        # Other processors have no flag: only a name that means a virtual machine counts.
        return None if "metal" in words else _first(DMI, words)
    clocks = _line("/sys/devices/system/clocksource/clocksource0/available_clocksource")
    return _first(DMI, words) or _first(CLOCKS, clocks) or "unknown"


def _flagged():
    # The flags of the first processor stand within the first kilobytes, and all are alike.
    for row in files.text("/proc/cpuinfo", 16384).splitlines():
        if row.startswith("flags"):
            return "hypervisor" in row.split()
    return False


def _line(path):
    try:
        return files.line(path)
    except OSError:
        return ""


def _first(table, words):
    return next((name for word, name in table if word in words), None)
