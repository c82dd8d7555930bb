"""What stands between two GPUs, by the driver's word: NVLinks, or the nearest common part of PCIe."""

from codeblue.model.facts import Peer
from codeblue.model.section import NotRead, was_read
from codeblue.model.snapshot import View

PATHS = {
    "internal": "SOC",
    "single": "PIX",
    "multiple": "PXB",
    "hostbridge": "PHB",
    "node": "NODE",
    "system": "SYS",
}
"""Levels of NVML in the words of ``nvidia-smi topo -m``."""
UNKNOWN = "?"


def nvml_number(view: View, index: str) -> str | None:
    """Return NVML's number of the GPU to which torch gives ``index``: the PCI address joins them."""
    try:
        pci = view.cuda.devices[index].pci
        return next((number for number, gpu in view.nvml.gpus.items() if pci and gpu.pci == pci), None)
    except (NotRead, AttributeError, KeyError):
        return None


def peer(view: View, one: str, other: str) -> Peer | None:
    """Return how NVML says that two GPUs reach each other; None if it was not read."""
    numbers = [nvml_number(view, index) for index in (one, other)]
    if None in numbers:
        return None
    try:
        peers = view.fabric.peers
    except (NotRead, AttributeError):
        return None
    first, second = numbers
    return peers.get(f"{first}-{second}") or peers.get(f"{second}-{first}")


def nvlinks(view: View, one: str, other: str) -> int:
    """Return how many active NVLinks lead from one GPU to the other, directly or through switches."""
    number, target = nvml_number(view, one), nvml_number(view, other)
    try:
        links = view.fabric.gpus[number or ""].links.values()
        pci = view.nvml.gpus[target or ""].pci
    except (NotRead, AttributeError, KeyError):
        return 0
    active = [link for link in links if was_read(link, "active") and link.active]
    direct = sum(was_read(link, "remote") and link.remote == pci for link in active)
    return direct or sum(was_read(link, "remote_kind") and link.remote_kind == "switch" for link in active)


def path(view: View, one: str, other: str) -> str:
    """Return the way between two GPUs in a word such as ``NV18``, ``PIX`` or ``SYS``."""
    between = peer(view, one, other)
    if between is not None and was_read(between, "nvlink") and between.nvlink == "ok":
        return f"NV{nvlinks(view, one, other) or ''}"
    if between is not None and was_read(between, "level"):
        return PATHS.get(between.level, UNKNOWN)
    return UNKNOWN
