"""Services beside the driver: what systemd says, and whether a process runs."""

import time

from codeblue_probe import files
from codeblue_probe.report import Report, Unread
from codeblue_probe.running import output

PROCESSES = {
    "nvidia-persistenced": "nvidia-persistenced",
    "nvidia-fabricmanager": "nv-fabricmanager",
    "nvidia-mps": "nvidia-cuda-mps-control",
    "nvidia-imex": "nvidia-imex",
    "nvidia-dcgm": "nv-hostengine",
    "nvlsm": "nvlsm",
    "nvidia-gridd": "nvidia-gridd",
    "docker": "dockerd",
    "containerd": "containerd",
    "kubelet": "kubelet",
    "slurmd": "slurmd",
    "munge": "munged",
    "dcgm-exporter": "dcgm-exporter",
}
"""Service to the name of its program."""

PROGRAMS = {"nvlsm": "/opt/nvidia/nvlsm/sbin/nvlsm"}
"""Where programs lie that have no unit of their own: another service starts them."""

COMM = 15
"""The kernel keeps this many characters of a program's name."""


def read(context, sections):
    """Read the services section."""
    report = Report("/proc")
    report.attempt("services", lambda: _services(report))
    return report


def _services(report):
    names = running()
    report.put("processes_visible", names is not None, "/proc")
    units = {}
    if files.exists("/run/systemd/system"):
        units = _units()
        report.source = "systemctl show {key}"
    services = {}
    for name, program in PROCESSES.items():
        runs = program[:COMM] in names if names is not None else None
        installed = name in PROGRAMS and files.exists(PROGRAMS[name])
        if name in units or runs or installed:
            services[name] = dict(units.get(name, NO_UNIT))
            if runs is not None:
                services[name]["running"] = runs
    return services


PROPERTIES = (
    "--property=Id,LoadState,ActiveState,UnitFileState,NRestarts,Result,ExecMainStartTimestampMonotonic"
)
NO_UNIT = {"state": None, "enabled": None, "restarts": None, "result": None, "last_start": None}


def running():
    """Return the names of all processes, or None if those of others are hidden from this user."""
    try:
        files.line("/proc/1/comm")
    except OSError:
        return None
    names = set()
    for entry in files.names("/proc"):
        if entry.isdigit():
            try:
                names.add(files.line("/proc/%s/comm" % entry))
            except OSError:  # it has ended
                continue
    return names


def _units():
    names = [name + ".service" for name in PROCESSES]
    try:
        code, out, words = output(["systemctl", "show", "--no-pager", PROPERTIES] + names, 3)
    except FileNotFoundError:
        raise Unread("unsupported", "systemd without systemctl")
    if code != 0:
        raise Unread("error", words)
    blocks = [files.pairs(block, "=") for block in out.split("\n\n")]
    # A masked unit was installed once, and somebody forbade it: that is worth knowing.
    present = [block for block in blocks if block.get("LoadState") in ("loaded", "masked")]
    return {block.get("Id", "")[: -len(".service")]: _unit(block) for block in present}


def _unit(block):
    restarts, started = block.get("NRestarts", ""), block.get("ExecMainStartTimestampMonotonic", "")
    return {
        "state": block.get("ActiveState") or None,
        "enabled": block.get("UnitFileState") or None,
        "restarts": int(restarts) if restarts.isdigit() else None,
        "result": block.get("Result") or None,
        "last_start": time.monotonic() - int(started) / 1e6 if started.isdigit() and started != "0" else None,
    }
