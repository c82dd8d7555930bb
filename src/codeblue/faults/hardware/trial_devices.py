"""Which devices of a trial can be judged by their speed."""

from codeblue.model.facts import Cuda, GpuTrial, GpuTried, Nvml
from codeblue.model.section import NotRead, was_read

LEAST_SIZE = 2048
"""Smaller matrices do not fill a GPU."""


def judged(trial: GpuTrial | None, cuda: Cuda, nvml: Nvml | None) -> dict[str, GpuTried]:
    """Return the devices that are whole GPUs and were given enough to do, by number.

    Raises NotRead if the trial or the devices were not read.
    """
    rows = trial.devices if trial else {}
    return {
        index: row
        for index, row in rows.items()
        if index in cuda.devices
        and was_read(row, "products")
        and not _sliced(cuda.devices[index].pci, nvml)
        and "Laptop" not in cuda.devices[index].name
        and all(product.error or product.size >= LEAST_SIZE for product in row.products.values())
    }


def alike(index: str, devices: dict[str, GpuTried], cuda: Cuda) -> list[GpuTried]:
    """Return the other devices of the same name."""
    name = cuda.devices[index].name
    return [row for other, row in devices.items() if other != index and cuda.devices[other].name == name]


def _sliced(pci: str | None, nvml: Nvml | None) -> bool:
    """True if the device is a part of a GPU, whose speed no data sheet tells."""
    try:
        rows = nvml.gpus.values() if nvml else ()
        return any(row.mig for row in rows if row.pci == pci)
    except NotRead:
        return False
