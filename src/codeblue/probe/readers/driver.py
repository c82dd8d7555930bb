"""The NVIDIA kernel module as it describes itself in /proc and /sys."""

import re

from codeblue_probe import files
from codeblue_probe.report import Absent, Report, Unread

PROC = "/proc/driver/nvidia"
SYS = "/sys/module/nvidia"
VERSION = re.compile(r"Kernel Module\b.*?\s(\d+\.\d+(?:\.\d+)*)\s")
"""After ``Open Kernel Module for x86_64`` or ``x86_64 Kernel Module``."""


def read(context, sections):
    """Read the driver section."""
    if files.exists(PROC):
        return _described()
    if not files.exists(SYS + "/version"):
        if not files.exists("/proc/version"):
            raise Unread("error", "/proc is not mounted")
        raise Absent("neither %s nor %s/version exists" % (PROC, SYS))
    # The module is loaded, but this process is not shown its folder.
    report = Report(SYS)
    report.put("module_version", files.line(SYS + "/version"), SYS + "/version")
    report.attempt("flavour", _flavour_by_taint, SYS + "/taint")
    report.unread.update(params="unsupported", gpus="unsupported")
    return report


def _described():
    report = Report(PROC + "/version")
    report.attempt("module_version", _version)
    report.attempt("flavour", _flavour)
    report.attempt("params", _params, PROC + "/params")
    report.attempt("gpus", _gpus, PROC + "/gpus/{key}/information")
    return report


def _text(path):
    try:
        return files.text(path, 1 << 16)
    except FileNotFoundError as error:
        raise Unread("error", str(error))


def _version():
    found = VERSION.search(_text(PROC + "/version"))
    if not found:
        raise Unread("error", "no version in %s/version" % PROC)
    return found.group(1)


def _flavour():
    return "open" if "Open Kernel Module" in _text(PROC + "/version") else "proprietary"


def _flavour_by_taint():
    # P: a module with a proprietary licence is loaded; the open one is MIT and GPL.
    return "proprietary" if "P" in _text(SYS + "/taint") else "open"


def _params():
    return files.pairs(_text(PROC + "/params"), ":")


def _gpus():
    gpus = {}
    for address in files.names(PROC + "/gpus"):
        try:
            rows = files.pairs(files.text("%s/gpus/%s/information" % (PROC, address), 8192), ":")
        except FileNotFoundError:  # it fell off the bus, or was removed while we looked
            rows = {}
        gpus[address.lower()] = _gpu(rows)
    return gpus


def _gpu(rows):
    gpu = {}
    if "Model" in rows:
        gpu["model"] = rows["Model"] or None
    if "Device Minor" in rows:
        gpu["minor"] = int(rows["Device Minor"]) if rows["Device Minor"].isdigit() else None
    if "GPU Firmware" in rows:
        gpu["firmware"] = rows["GPU Firmware"] if rows["GPU Firmware"] != "N/A" else None
    if "Video BIOS" in rows and "?" not in rows["Video BIOS"]:  # not known until the GPU was opened once
        gpu["vbios"] = rows["Video BIOS"]
    if "GPU Excluded" in rows:
        gpu["excluded"] = rows["GPU Excluded"] == "Yes"
    return gpu
