"""The few facts of a node by which causes are found that many nodes share."""

from collections.abc import Callable
from typing import Any

from codeblue.fleet.facts import Facts
from codeblue.model.facts import Driver, DriverFiles, Filesystem, Filesystems, Network, Nvml
from codeblue.model.fleet import Marks
from codeblue.model.section import NotRead, was_read

REMOTE = ("nfs", "lustre", "ceph", "beegfs", "gpfs", "cifs", "smb", "fuse.", "glusterfs", "weka", "afs", "9p")
"""Beginnings of the kinds of file systems that a server stands behind."""
ACTIVE, DOWN = "active", "down"


def marks(facts: Facts) -> Marks:
    """Return the marks of a node; what could not be read is left out."""
    found: dict[str, Any] = {}
    tells: tuple[Callable[[Facts], dict[str, Any]], ...] = (_gpus, _driver, _installed, _host, _disks, _ports)
    for tell in tells:
        try:
            found |= tell(facts)
        except NotRead:  # a fact that this node does not tell
            continue
    return Marks(**found)


def _gpus(facts: Facts) -> dict[str, Any]:
    if nvml := facts.section(Nvml):
        names = sorted({gpu.name for gpu in nvml.gpus.values()})
        return {"gpu": ", ".join(names), "gpus": len(nvml.gpus)}
    if driver := facts.section(Driver):
        names = sorted({gpu.model for gpu in driver.gpus.values() if gpu.model})
        return {"gpu": ", ".join(names), "gpus": len(driver.gpus)}
    return {}


def _driver(facts: Facts) -> dict[str, Any]:
    driver = facts.section(Driver)
    return {"driver": driver.module_version or ""} if driver else {}


def _installed(facts: Facts) -> dict[str, Any]:
    files = facts.section(DriverFiles)
    versions = (
        {library.version for library in files.libraries.values() if library.version} if files else set()
    )
    return {"installed": versions.pop()} if len(versions) == 1 else {}


def _host(facts: Facts) -> dict[str, Any]:
    return {"uptime": facts.node.uptime} if facts.node.uptime is not None else {}


def _disks(facts: Facts) -> dict[str, Any]:
    table = facts.section(Filesystems)
    if table is None or not any(_remote(row) for row in table.filesystems.values()):
        return {}
    whole = facts.section(Filesystems, whole=True)
    rows = whole.filesystems.items() if whole else ()
    silent = [(role, row.kind) for role, row in rows if _remote(row) and not was_read(row, "total")]
    return {"silent": tuple(sorted(silent))}


def _remote(row: Filesystem) -> bool:
    return row.kind is not None and row.kind.startswith(REMOTE)


def _ports(facts: Facts) -> dict[str, Any]:
    network = facts.section(Network)
    states = [
        (f"{device}/{number}", port.state)
        for device, row in (network.rdma.items() if network else ())
        for number, port in row.ports.items()
    ]
    return {
        "down": tuple(sorted(name for name, state in states if state == DOWN)),
        "up": tuple(sorted(name for name, state in states if state == ACTIVE)),
    }
