"""GPUs by the names that software gives them."""

from functools import cache
from typing import Any

from codeblue.knowledge.tables import table


@cache
def _by_name() -> dict[str, dict[str, Any]]:
    rows = table("gpus")["rows"]
    return {name: row for row in rows for name in (row["name"], *row.get("aliases", ()))}


@cache
def _by_device() -> dict[str, dict[str, Any]]:
    return {device.lower(): row for row in table("gpus")["rows"] for device in row.get("pci_ids") or ()}


def gpu_named(name: str) -> dict[str, Any] | None:
    """Return the row of the GPU that nvidia-smi calls ``name``; None if no table knows it."""
    return _by_name().get(name)


def gpu_of_device(device: str) -> dict[str, Any] | None:
    """Return the row of the GPU with this PCI device id (four digits); None if no table knows it."""
    return _by_device().get(device.lower())
