"""A container around the process, and the driver files that its runtime put in."""

import re

from codeblue_probe import files
from codeblue_probe.report import Absent, Report

INITIAL = {"pid": "4026531836", "uts": "4026531838", "ipc": "4026531839"}
"""Numbers of the namespaces in which the kernel booted (include/linux/proc_ns.h)."""

BY_PATH = (
    ("kubernetes", re.compile(r"/kubepods|/kubelet/pods/")),
    ("podman", re.compile(r"/libpod-|/containers/storage/")),
    ("docker", re.compile(r"/docker[/-][0-9a-f]{12}|/docker/(?:overlay2|rootfs|image)/")),
    ("containerd", re.compile(r"cri-containerd|/io\.containerd\.|/nerdctl/")),
    ("enroot", re.compile(r"/enroot|/pyxis")),
    ("lxc", re.compile(r"/lxc\.payload|/lxc/|/lxd/")),
)
"""Engines by the paths of control groups and of the layers of the root file system."""

BY_WORD = {"docker": "docker", "podman": "podman", "oci": "podman", "lxc": "lxc", "lxc-libvirt": "lxc"}
"""Engines by what they write into ``container=`` and /run/systemd/container."""

DRIVER_FILE = re.compile(
    r"/(?:lib(?:cuda|cudadebugger|nvidia|nvcuvid|nvoptix|GLX_nvidia|EGL_nvidia|vdpau_nvidia)[\w.+-]*\.so[.\d]*"
    r"|nvidia-(?:smi|debugdump|persistenced|cuda-mps-\w+|imex\S*)|gsp_\w+\.bin)$"
    r"|^/usr/local/nvidia(?:/lib64|/bin)?$"
)
FOLDER = "/usr/local/nvidia"
"""Machines may mount the whole driver here as well."""

MOST = 100


def read(context, sections):
    """Read the container section."""
    mounts = _mounts()
    points = sorted({row[4] for row in mounts})
    injected = [point for point in points if DRIVER_FILE.search(point)]
    root = next((row for row in reversed(mounts) if row[4] == "/"), [])
    engine = _engine(context.environment, " ".join(root))
    if engine is None and any(not point.startswith(FOLDER) for point in injected):
        engine = "unknown"  # nobody but a container runtime mounts single driver files
    if engine is None:
        raise Absent("no sign of a container")
    report = Report("/proc/self/mountinfo")
    report.put("engine", engine)
    report.put("injected", injected[:MOST])
    return report


def _mounts():
    """Return the mounts of the root and of files of the driver."""
    rows = (row.split(" ") for row in files.rows("/proc/self/mountinfo"))
    return [row for row in rows if len(row) > 5 and (row[4] == "/" or DRIVER_FILE.search(row[4]))]


def _engine(environment, root):
    """Return the engine's name, ``unknown``, or None if there is no container."""
    if environment.get("APPTAINER_CONTAINER") or environment.get("SINGULARITY_CONTAINER"):
        return "apptainer"  # shares the machine's namespaces
    overlay, enclosed = " - overlay " in root or " - fuse.fuse-overlayfs " in root, _enclosed()
    named = _by_path(root)
    if enclosed is False and not overlay:
        # A machine image made from a container image keeps the sign files: they mean nothing here.
        return "enroot" if named == "enroot" else None
    if environment.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    if named == "containerd" and files.exists("/.dockerenv"):
        return "docker"  # it may keep its layers with containerd
    # A distribution inside WSL has namespaces of its own, and may come from a container image.
    if named or enclosed is False or (not overlay and _wsl()):
        return named
    return _by_mark() or ("unknown" if overlay and enclosed else None)


def _enclosed():
    """True in a PID, UTS or IPC namespace of its own, None if that is not shown."""
    links = {name: files.target("/proc/self/ns/" + name) for name in INITIAL}
    known = {name: link for name, link in links.items() if link}
    if any(INITIAL[name] not in link for name, link in known.items()):
        return True
    return False if known else None


def _by_path(root):
    paths = "\n".join((root, _text("/proc/1/cgroup"), _text("/proc/self/cgroup")))
    return next((engine for engine, pattern in BY_PATH if pattern.search(paths)), None)


def _by_mark():
    word = _text("/run/systemd/container").strip() or _init_variable("container")
    if word:
        return BY_WORD.get(word, "unknown")
    if files.exists("/run/.containerenv"):
        return "podman"
    return "docker" if files.exists("/.dockerenv") else None


def _wsl():
    return "microsoft" in _text("/proc/sys/kernel/osrelease").lower()


def _init_variable(name):
    for row in _text("/proc/1/environ").split("\0"):
        if row.startswith(name + "="):
            return row.split("=", 1)[1]
    return ""


def _text(path):
    try:
        return files.text(path, 1 << 16)
    except OSError:  # not there, or not for this user: one sign fewer
        return ""
