"""GPUs whose memory regions (BARs) got no address, as the driver reports them."""

import re
from collections.abc import Iterator

from msgspec import Struct

from codeblue.faults.hardware.xids import slot
from codeblue.model.facts import KernelLog, Pci

_BAR = re.compile(r"NVRM: BAR(\d) is 0M @ 0x0+ \(PCI:([0-9a-fA-F:.]+)\)")


class InvalidBar(Struct, frozen=True):
    """One region without an address, on a GPU that the driver could not start."""

    gpu: str
    """PCI slot."""
    number: int
    position: int
    """Where in ``kernel_log.lines``."""


def invalid_bars(log: KernelLog, pci: Pci | None) -> Iterator[InvalidBar]:
    """Yield one region per GPU; GPUs that the driver runs in spite of it are left out.

    The driver also reports regions that it can do without, for example those of virtual functions.
    """
    broken = {slot(a) for a in pci.nvidia_gpus if _unbound(pci, a)} if pci else set()
    broken |= {slot(line.text) for line in log.lines if "RmInitAdapter failed" in line.text}
    told: set[str] = set()
    for position, line in enumerate(log.lines):
        for number, address in _BAR.findall(line.text):
            gpu = slot(address)
            if gpu in broken and gpu not in told:
                told.add(gpu)
                yield InvalidBar(gpu, int(number), position)


def _unbound(pci: Pci, address: str) -> bool:
    return address in pci.functions and pci.functions[address].driver is None
