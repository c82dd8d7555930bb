"""Display functions, accelerators and NVSwitches on the PCI bus, from /sys."""

import os

from codeblue_probe import files, pci_path
from codeblue_probe.report import Absent, Report, Unread

FOLDER = pci_path.FOLDER
NVIDIA = "10de"
DISPLAY, ACCELERATOR, BRIDGE = "03", "12", "0680"
"""Beginnings of PCI class codes."""


def read(context, sections):
    """Read the pci section."""
    if not files.exists(FOLDER):
        if not files.exists("/sys/bus"):
            raise Unread("error", "/sys is not mounted")
        raise Absent("no PCI bus: %s does not exist" % FOLDER)
    report = Report(FOLDER + "/{key}")
    functions = {}
    for address in files.names(FOLDER):
        function = _function(address)
        if function:
            functions[address.lower()] = function
    nvidia = {key: row for key, row in functions.items() if row["vendor"] == NVIDIA}
    report.put("functions", functions)
    report.put("nvidia_gpus", [key for key, row in sorted(nvidia.items()) if _is_gpu(key, row)])
    above = sorted({one for key in report.facts["nvidia_gpus"] for one in functions[key]["upstream"]})
    report.put("ports", {one: pci_path.port(one) for one in above})
    report.put("nvswitches", sum(row["pci_class"].startswith(BRIDGE) for row in nvidia.values()))
    return report


def _is_gpu(address, row):
    # A virtual function that a vGPU host hands out is a part of a GPU, not one more.
    return row["pci_class"].startswith(DISPLAY) and not _is_virtual(address)


def _is_virtual(address):
    return files.target("%s/%s/physfn" % (FOLDER, address)) is not None


def _function(address):
    folder = "%s/%s/" % (FOLDER, address)
    kind, vendor = _code(folder + "class"), _code(folder + "vendor")
    if not kind or not vendor:  # it was removed while we looked
        return None
    if not kind.startswith((DISPLAY, ACCELERATOR)) and not (vendor == NVIDIA and kind.startswith(BRIDGE)):
        return None
    driver = files.target(folder + "driver")
    row = {
        "vendor": vendor,
        "device": _code(folder + "device"),
        "pci_class": kind,
        "driver": os.path.basename(driver) if driver else None,
        "link_width": _width(folder + "current_link_width"),
        "link_width_max": _width(folder + "max_link_width"),
        "link_speed": _speed(folder + "current_link_speed"),
        "link_speed_max": _speed(folder + "max_link_speed"),
    }
    numa = _line(folder + "numa_node")
    if numa is not None:
        row["numa"] = int(numa) if numa.isdigit() else None
    if vendor == NVIDIA:
        row["upstream"] = pci_path.upstream(address)
        row["errors"] = pci_path.errors(address)
        try:
            row["iommu"] = pci_path.iommu(address)
        except OSError:  # left unread
            pass
    if not _is_virtual(address):  # virtual functions have no identity of their own there: all ones
        try:
            row["config_readable"] = _start(folder + "config") != b"\xff\xff\xff\xff"
        except OSError:  # left unread
            pass
    return row


def _code(path):
    value = _line(path)
    return value[2:] if value and value.startswith("0x") else value


def _line(path):
    try:
        return files.line(path)
    except OSError:  # functions without a link have no such file, or it cannot be read
        return None


def _width(path):
    value = _line(path)
    return int(value) if value and value.isdigit() and value != "0" else None


def _speed(path):
    value = _line(path)
    return value if value and value != "Unknown" else None


def _start(path):
    with open(files.ROOT + path, "rb") as stream:
        return stream.read(4)
