"""Which GPU an Xid of this boot belongs to."""

import re
from collections.abc import Collection

from codeblue.model.facts import Gpu, KernelLog, Nvml, Xid
from codeblue.model.fault import Cite, cite

PREFIX = r"NVRM: Xid \((PCI:)?(?P<pci>[0-9a-fA-F:.]+)\): "
"""What stands in front of the code in a kernel log line."""

NAMED = r"GPU (?P<pci>[0-9a-fA-F]+:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})\.\d: "
"""How the driver names the GPU in its other messages."""

_ADDRESS = re.compile(r"([0-9a-fA-F]{4,8}):([0-9a-fA-F]{2}):([0-9a-fA-F]{2})")


def slot(address: str) -> str:
    """Return domain, bus and device of a PCI address, e.g. ``0000:3b:00``: what all sources print."""
    found = _ADDRESS.search(address)
    return f"{found[1][-4:]}:{found[2]}:{found[3]}".lower() if found else address


def gpus(nvml: Nvml | None) -> dict[str, Gpu]:
    """Return the GPUs that answer, by index; none if NVML is not there.

    Raises NotRead if NVML did not start.
    """
    return {index: gpu for index, gpu in nvml.gpus.items() if gpu.handle == 0} if nvml else {}


def refused(nvml: Nvml | None, code: int) -> list[str]:
    """Return the indices of the GPUs for which NVML gave this error instead of a handle."""
    if nvml is None or nvml.init != 0:
        return []
    return [index for index, gpu in nvml.gpus.items() if gpu.handle == code]


def gpu_names(nvml: Nvml | None) -> dict[str, str]:
    """Return NVML's index of every GPU that answers by its PCI slot; none if NVML did not start."""
    if nvml is None or nvml.init != 0:
        return {}
    return {slot(gpu.pci): index for index, gpu in gpus(nvml).items()}


def by_slot(log: KernelLog | None, codes: Collection[int]) -> dict[str, list[tuple[int, Xid]]]:
    """Return the Xids of these codes with their positions in the log, by the GPU's PCI slot."""
    found: dict[str, list[tuple[int, Xid]]] = {}
    for position, xid in enumerate(log.xids if log else []):
        if xid.code in codes:
            found.setdefault(slot(xid.device), []).append((position, xid))
    return found


def cited(seen: list[tuple[int, Xid]]) -> tuple[Cite, ...]:
    """Point at the first three of these Xids."""
    return cite(*(f"kernel_log.xids[{position}].text" for position, _ in seen[:3]))


def codes_of(seen: list[tuple[int, Xid]]) -> str:
    """Return their codes for a sentence, e.g. ``48, 95``."""
    return ", ".join(str(code) for code in sorted({xid.code for _, xid in seen}))
