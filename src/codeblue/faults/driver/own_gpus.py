"""Which NVIDIA GPUs this kernel is expected to drive itself."""

from codeblue.model.facts import Pci

HANDED_OUT = ("vfio", "pciback")


def own_gpus(pci: Pci) -> list[str]:
    """Return the addresses of the NVIDIA GPUs that are not set aside for a virtual machine."""
    return [address for address in pci.nvidia_gpus if not _handed_out(pci, address)]


def driven_by(pci: Pci, *names: str) -> list[str]:
    """Return the NVIDIA GPUs that are bound to one of these kernel drivers."""
    return [a for a in pci.nvidia_gpus if a in pci.functions and pci.functions[a].driver in names]


def _handed_out(pci: Pci, address: str) -> bool:
    if address not in pci.functions:
        return False
    driver = pci.functions[address].driver
    return driver is not None and any(name in driver for name in HANDED_OUT)
