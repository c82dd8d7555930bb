"""The nodes /dev/nvidia*: what they are, and whether the judged user can open them."""

import errno
import os
import re
import stat

from codeblue_probe import files
from codeblue_probe.report import Report

ALWAYS = ("/dev/nvidiactl", "/dev/nvidia-uvm")
DRIVER_OF = {"nvidiactl": "nvidiactl", "nvidia-uvm": "nvidia-uvm", "nvidia-uvm-tools": "nvidia-uvm"}


def read(context, sections):
    """List the nodes that exist and those that the driver needs, with one open() trial each."""
    report = Report("stat {key}")
    majors, mounts = _majors(), _mounts()
    paths = ["/dev/" + name for name in files.names("/dev") if _is_node(name)]
    paths += [path for path in _needed(sections) if path not in paths]
    report.put("nodes", {path: _node(path, majors, mounts) for path in sorted(paths)})
    return report


def nodes_after(section):
    """Add the modes that the nodes have after the library calls."""
    for path, node in section.get("nodes", {}).items():
        try:
            node["mode_after"] = "%04o" % stat.S_IMODE(os.stat(path).st_mode)
        except OSError:
            node["mode_after"] = None
    return section


def _is_node(name):
    return re.match(r"nvidia(\d+|ctl|-uvm|-uvm-tools|-modeset|-nvswitch\d+|-nvswitchctl)$", name)


def _needed(sections):
    driver = sections.get("driver", {})
    if driver.get("state") != "read":
        return []
    minors = [gpu.get("minor") for gpu in driver.get("gpus", {}).values() if not gpu.get("excluded")]
    return list(ALWAYS) + ["/dev/nvidia%d" % minor for minor in minors if minor is not None]


def _majors():
    try:
        content = files.text("/proc/devices")
    except OSError:
        return {}
    rows = [row.split() for row in content.splitlines()]
    return {row[1]: int(row[0]) for row in rows if len(row) == 2 and row[0].isdigit()}


def _node(path, majors, mounts):
    try:
        status = os.stat(files.place(path))
    except OSError:
        return {"exists": False}
    name = path[len("/dev/") :]
    node = {
        "exists": True,
        "char": stat.S_ISCHR(status.st_mode),
        "mode": "%04o" % stat.S_IMODE(status.st_mode),
        "owner": status.st_uid,
        "group": status.st_gid,
        "major": os.major(status.st_rdev),
        "minor": os.minor(status.st_rdev),
        "expected_major": _expected(name, majors),
        "nodev": "nodev" in _options(path, mounts),
    }
    if not files.ROOT:  # below another root our open() would prove nothing about who is in there
        node["open_rw"] = _open(path)
    return node


def _open(path):
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    return "ok"


def _expected(name, majors):
    driver = DRIVER_OF.get(name, "nvidia-nvswitch" if "nvswitch" in name else "nvidia")
    if driver == "nvidia":  # called nvidia-frontend before driver 555
        return majors.get("nvidia", majors.get("nvidia-frontend"))
    return majors.get(driver)


def _mounts():
    """Return mount point -> options; of several mounts on one point the last one is seen."""
    try:
        rows = (row.split() for row in files.rows("/proc/self/mounts") if " / " in row or " /dev" in row)
        return {row[1]: row[3].split(",") for row in rows if len(row) > 3}
    except OSError:
        return {}


def _options(path, mounts):
    """Return the options of the mount that holds a path, which may be a mount point itself."""
    while path not in mounts and path != "/":
        path = os.path.dirname(path)
    return mounts.get(path, [])
