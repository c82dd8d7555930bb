"""How likely a difference matters: what rules look at counts, not what is rare."""

import re
from collections.abc import Collection
from functools import cache
from pkgutil import get_data

from codeblue.faults import index
from codeblue.model.compared import EFFECTS, volatile, within
from codeblue.model.fault import Kind

LEADING = {
    "driver.module_version": 60,
    "driver.gpus.firmware": 55,
    "driver.flavour": 50,
    "driver_files": 45,
    "nvml.gpus.name": 50,
    "nvml.gpus.ecc": 40,
    "nvml.gpus.link_width": 40,
    "nvml.gpus.mig": 40,
    "nvml.gpus.persistence": 35,
    "gpu_trial": 55,
    "memory_trial": 55,
    "host.kernel": 50,
    "host.cmdline": 35,
    "host.memory_bytes": 40,
    "host.cpus": 40,
    "torch.version": 50,
    "fabric": 45,
    "network": 30,
    "limits": 35,
    "environment": 30,
    "loader.libraries": 35,
    "nodes": 35,
}
"""What breaks or slows a job that spans nodes as soon as one of them has another value."""
WHEELS = re.compile(r"python(?:\.distributions)?\[(torch|triton|nvidia-|cuda-|cupy|jax|nccl|flash)")
"""Wheels that must be the same on all nodes of a job."""
WHEEL = 45
FOUND = 25
"""A rule that looks at the fact has found something on these very nodes."""
RULE, MOST_RULES = 2, 10
"""For every rule that looks at the fact, up to so many."""
AFTER = -30
"""It says how it went, not what it went with."""

OWN = (
    *("host.hostname", "host.boot_id", "host.uptime_seconds", "nvml.gpus.uuid", "nvml.gpus.minor"),
    *("nvml.gpus.handle", "nvml.gpus.serial", "nvml.gpus.pci", "cuda.devices.pci", "driver.gpus.minor"),
    *("trial_history", "kernel_log", "sightings", "expectations", "nvidia_smi"),
    *("packages.changes", "gpu_trial.devices.seconds", "memory_trial.devices.seconds"),
    *("gpu_trial.devices.load", "memory_trial.devices.errors_before", "gpu_trial.devices.products.digest"),
    *("filesystems.filesystems.total", "nodes.nodes.expected_major", "nodes.nodes.major", "clock"),
)
"""Facts that differ from node to node by design, beside those that differ between two looks at one node."""


def compared(place: str) -> bool:
    """True if nodes are compared by the fact at this place."""
    _, _, field = place.partition(".")
    if not field or field.split(".")[0] in ("reason", "unread") or field.endswith((".unread", ".error")):
        return False
    return not volatile(place) and not any(within(place, own) for own in OWN)


def weight(path: str, place: str, found: Collection[str]) -> tuple[int, tuple[str, ...]]:
    """Return how likely a difference matters, and which faults found on these nodes look at the fact."""
    readers = _readers().get(place.partition(".")[0], {})
    field = place.rpartition(".")[2]
    looking = [fault for fault, words in readers.items() if field in words]
    faults = tuple(fault for fault in found if fault in looking or (field == "state" and fault in readers))
    total = max((own for start, own in LEADING.items() if within(place, start)), default=0)
    total = max(total, WHEEL if WHEELS.match(path) else 0)
    total += RULE * min(len(looking), MOST_RULES) + (FOUND if faults else 0)
    return total + (AFTER if any(within(place, effect) for effect in EFFECTS) else 0), faults


@cache
def _readers() -> dict[str, dict[str, frozenset[str]]]:
    """Return for every section the faults whose rules look at it, with the words of each rule."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for entry in index.entries().values():
        if not entry.coded or entry.kind is Kind.HARMLESS:
            continue
        source = get_data(index.__package__ or "", f"{entry.place}.py") or b""
        words = frozenset(re.findall(r"\.(\w+)", source.decode("utf-8")))
        for section in entry.needs:
            found.setdefault(section, {})[entry.id] = words
    return found
