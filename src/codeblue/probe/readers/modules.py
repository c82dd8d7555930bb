"""Kernel modules that drive or claim GPUs: loaded, on disk, blacklisted."""

import os
import re

from codeblue_probe import files
from codeblue_probe.report import Report, Unread

RELEVANT = re.compile(
    r"(?:nvidia\w*|nouveau|nova_core|nova_drm|nv_peer_mem|nvidiafb|gdrdrv|amdgpu|radeon|i915|xe"
    r"|vfio|vfio_pci\w*|vfio_iommu\w*|ib_\w+|rdma_\w+|iw_cm|mlx[45]_\w+|irdma|bnxt_re|efa|drm)$"
)
DISABLED = re.compile(r"(?:nvidia\w*|nouveau|nova_core|nova_drm)$")
MODULE_FILE = re.compile(r"nvidia(?:-current|-legacy\S*|-tesla\S*)?\.ko(?:\.(?:xz|zst|gz))?$")
"""Debian names the file after its package; an alias makes it ``nvidia``."""

FOLDERS = (
    "updates",
    "extra",
    "weak-updates",
    "misc",
    "extramodules",
    "kernel/drivers/video",
    "kernel/extramodules",
)
CONFIGURATION = (
    "/etc/modprobe.d",
    "/run/modprobe.d",
    "/usr/local/lib/modprobe.d",
    "/usr/lib/modprobe.d",
    "/lib/modprobe.d",
)
"""In the order of precedence: a file hides one of the same name in a later folder."""

MAX_FOLDERS = 150
MAX_KERNELS = 12


def read(context, sections):
    """Read the modules section."""
    report = Report("/proc/modules")
    release = os.uname().release
    report.attempt("loaded", _loaded)
    report.attempt("on_disk", lambda: on_disk(release), "/lib/modules/" + release)
    report.attempt("other_kernels", lambda: _other_kernels(release), "/lib/modules")
    report.attempt("blacklisted", _blacklisted, "modprobe.d")
    if "on_disk" in report.facts:
        shown = files.exists("/sys/module/nvidia")
        report.put("built_in", shown and not report.facts["on_disk"], "/sys/module/nvidia")
    return report


def _loaded():
    try:
        content = files.text("/proc/modules")
    except FileNotFoundError:
        if files.exists("/proc/version"):
            return {}  # a kernel without loadable modules
        raise Unread("error", "/proc is not mounted")
    rows = (row.split() for row in content.splitlines())
    return {row[0]: _module(row) for row in rows if len(row) > 3 and RELEVANT.match(row[0])}


def _module(row):
    module = {"size": int(row[1])}
    if row[2].isdigit():  # kernels that cannot unload modules count no references
        module["references"] = int(row[2])
        module["used_by"] = [name for name in row[3].split(",") if name not in ("", "-")]
    return module


def on_disk(release):
    """Return the paths of the nvidia.ko files of a kernel release."""
    base = "/lib/modules/" + release
    folders = [base + "/" + name for name in FOLDERS]
    # Distributions that ship the driver ready-made: kernel/nvidia-580-open/nvidia.ko.
    kernel = base + "/kernel/"
    folders += [kernel + name for name in files.names(kernel) if name.startswith("nvidia")]
    return _walk(folders)


def _walk(folders):
    found, todo, visited = [], list(folders), 0
    while todo and visited < MAX_FOLDERS:
        folder = todo.pop(0)
        visited += 1
        if not os.path.isdir(files.place(folder)):
            continue
        for name in files.names(folder):
            path = folder + "/" + name
            if MODULE_FILE.match(name):
                found.append(path)
            elif "." not in name and files.target(path) is None:
                todo.append(path)
    return found


def _other_kernels(release):
    releases = [name for name in files.names("/lib/modules") if name != release]
    return [name for name in releases[-MAX_KERNELS:] if on_disk(name)]


def _blacklisted():
    found = {}
    for path in _configuration():
        for name in _disabled(path):
            found.setdefault(name, path)
    return found


def disabling(name):
    """Return the paths of all modprobe.d files that disable this module."""
    return [path for path in _configuration() if name in _disabled(path)]


def _configuration():
    """Return the paths of the files that modprobe reads."""
    found = {}
    for folder in CONFIGURATION:
        for name in files.names(folder):
            if name.endswith(".conf"):
                found.setdefault(name, folder + "/" + name)
    return list(found.values())


def _disabled(path):
    try:
        content = files.text(path, 1 << 16)
    except FileNotFoundError:  # a link to nowhere, which modprobe skips as well
        return []
    return disabled_by(content)


def disabled_by(content):
    """Return the GPU modules that a text of modprobe.d disables."""
    rows = (row.split("#", 1)[0].split() for row in content.splitlines())
    names = [words[1].replace("-", "_") for words in rows if len(words) > 1 and _disables(words)]
    return [name for name in names if DISABLED.match(name)]


def _disables(words):
    if words[0] == "blacklist":
        return True
    if words[0] == "alias":
        return words[2:] == ["off"]
    return words[0] == "install" and len(words) == 3 and os.path.basename(words[2]) in ("true", "false", ":")
