"""Files and programs of the NVIDIA container toolkit, and CDI specifications."""

import os
import re

from codeblue_probe import files
from codeblue_probe.running import clean, run

CONFIG = "/etc/nvidia-container-runtime/config.toml"
CDI_FOLDERS = ("/etc/cdi", "/var/run/cdi")
TOOLS = ("nvidia-ctk", "nvidia-container-runtime", "nvidia-container-cli", "nvidia-container-runtime-hook")
SILENT = ("nvidia-container-runtime-hook",)
"""Programs that are not asked for a version."""

USUAL = ("/usr/bin", "/usr/local/bin", "/usr/sbin", "/usr/local/nvidia/toolkit")
SECONDS = 1
LARGEST_SPEC = 256 << 10
MOST = 64
VERSION = re.compile(r"version:?\s+v?(\d+\.\d+[\w.+~-]*)", re.I)
WANTED = re.compile(
    r"(?:disable-require|swarm-resource|accept-nvidia-visible-\S+|supported-driver-capabilities"
    r"|nvidia-container-cli\.(?:no-cgroups|ldconfig|root|path|load-kmods|user)"
    r"|nvidia-container-runtime\.(?:mode|runtimes)|nvidia-container-runtime-hook\.skip-mode-detection"
    r"|features\.[\w-]+)$"
)
LIBRARY = re.compile(
    r"(/[\w./+-]+/lib(?:nvidia|cuda|nvcuvid|EGL_nvidia|GLX_nvidia)[\w-]*\.so\.(\d{3}\.\d[\d.]*\d))"
)
KIND = re.compile(r"[\"']?kind[\"']?:\s*[\"']?([\w.-]+/[\w.-]+)")
DEVICE = re.compile(r"^\s*-?\s*[\"']?name[\"']?:\s*[\"']?([\w.:-]+)[\"']?,?\s*$", re.M)


def program(name, variable):
    """Return the path of a program on PATH or in the usual folders, or None."""
    for folder in variable.split(os.pathsep) + list(USUAL):
        path = folder + "/" + name
        if folder.startswith("/") and os.access(files.ROOT + path, os.X_OK) and files.exists(path):
            return path
    return None


def tool(path, environment):
    """Return path and version of a program that knows ``--version``."""
    try:
        outcome = run([files.ROOT + path, "--version"], SECONDS, "/", environment, own_group=True)
    except OSError:
        return {"path": path, "version": None}
    found = VERSION.search(clean(outcome.output) + "\n" + clean(outcome.errors))
    return {"path": path, "version": found.group(1).rstrip(".,") if found else None}


def tools(environment):
    """Return the toolkit's programs by name."""
    found = {}
    for name in TOOLS:
        path = program(name, environment.get("PATH", ""))
        if path:
            silent = name in SILENT
            found[name] = {"path": path, "version": None} if silent else tool(path, environment)
    return found


def config():
    """Return the settings of config.toml that matter, ``section.key`` to text. Raises OSError."""
    section, found = "", {}
    for row in files.text(CONFIG, 1 << 16).splitlines():
        row = row.strip()
        if row.startswith("[") and row.endswith("]"):
            section = row.strip("[] ") + "."
            continue
        key, sep, value = row.partition("=")
        name = section + key.strip()
        if sep and not row.startswith("#") and WANTED.match(name):
            found[name] = _plain(value)
    return found


def _plain(value):
    value = value.strip()
    if value[:1] in ("'", '"'):
        return value[1:].partition(value[0])[0]
    return value.partition("#")[0].strip()


def ldconfig_there(settings):
    """Return whether the host's ldconfig of these settings exists; None if they name none."""
    path = (settings or {}).get("nvidia-container-cli.ldconfig", "")
    return files.exists(path[1:]) if path.startswith("@/") else None


def cdi_specs():
    """Return the CDI specifications of the machine by path. Raises OSError."""
    found = {}
    for folder in CDI_FOLDERS:
        for name in files.names(folder):
            path = folder + "/" + name
            if name.endswith((".yaml", ".yml", ".json")) and len(found) < MOST:
                found[path] = _spec(files.text(path, LARGEST_SPEC))
    return found


def _spec(content):
    kind = KIND.search(content)
    libraries = sorted(set(LIBRARY.findall(content)))
    missing = [path for path, _ in libraries if not files.exists(path)]
    return {
        "kind": kind.group(1) if kind else None,
        "devices": sorted(set(DEVICE.findall(content)))[:MOST],
        "driver_versions": sorted({version for _, version in libraries}),
        "missing": missing[:5],
    }
