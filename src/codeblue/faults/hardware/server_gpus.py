"""Which GPUs are server boards: what is odd on these is often normal on a laptop or a desktop."""

from functools import cache
from typing import Any

from codeblue.knowledge import table

SOCKETED_NVLINK = 600
"""GB/s: boards on a baseboard (SXM) have at least this, and no word for a slot in their name."""


@cache
def _boards() -> list[dict[str, Any]]:
    rows = [row for row in table("gpus")["rows"] if row["class"] in ("datacenter", "superchip")]
    return [row for row in rows if row["name"] != "NVIDIA GB10"]  # a desktop chip without a PCIe slot


def _devices(rows: list[dict[str, Any]]) -> set[str]:
    return {device.lower() for row in rows for device in row.get("pci_ids") or ()}


def is_server_name(name: str) -> bool:
    """True if NVML's name is that of a data-centre GPU."""
    return any(name == row["name"] or name in (row.get("aliases") or ()) for row in _boards())


def is_server_device(device: str) -> bool:
    """True if the PCI device id, four hexadecimal digits, is that of a data-centre GPU."""
    return device.lower() in _devices(_boards())


def is_socketed(device: str) -> bool:
    """True for GPUs that sit on a baseboard, which always gives them all their PCIe lanes."""
    return device.lower() in _devices(_socketed())


def nvlink_of_socketed(name: str) -> float | None:
    """Return what the NVLinks of a GPU on a baseboard carry in both directions together, GB/s.

    None for any other name: links between boards in slots depend on bridges that may not be there.
    """
    named = (row for row in _socketed() if name == row["name"] or name in (row.get("aliases") or ()))
    return next((float(row["nvlink_gbs"]) for row in named), None)


def _socketed() -> list[dict[str, Any]]:
    rows = [row for row in _boards() if (row.get("nvlink_gbs") or 0) >= SOCKETED_NVLINK]
    return [row for row in rows if not any(word in row["name"].upper() for word in ("PCIE", "NVL"))]
