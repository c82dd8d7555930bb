"""``lspci``: NVIDIA's GPUs on the bus and, with ``-k``, who drives them."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Pci, PciFunction
from codeblue.model.section import Section
from codeblue.sources.clues import Line

FUNCTION = re.compile(
    r"^((?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) "
    r"(VGA compatible controller|3D controller|Display controller)(?: \[03[0-9a-f]{2}\])?: "
    r"NVIDIA Corporation (.*)$"
)
OTHER = re.compile(r"^(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] ")
DEVICE = re.compile(r"\[10de:([0-9a-f]{4})\]")
DRIVER = re.compile(r"^\s+Kernel driver in use: (\S+)$")
MODULES = re.compile(r"^\s+Kernel modules: ")
CLASSES = {
    "VGA compatible controller": "030000",
    "3D controller": "030200",
    "Display controller": "038000",
}


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the GPUs that are listed; a text without one may be an excerpt."""
    found: dict[str, dict[str, object]] = {}
    source = address = ""
    for line in lines:
        if function := FUNCTION.match(line.text):
            address = function.group(1) if function.group(1).count(":") == 2 else f"0000:{function.group(1)}"
            found[address] = _described(function)
            source = source or line.place
        elif OTHER.match(line.text):
            address = ""
        elif address and (driver := DRIVER.match(line.text)):
            found[address]["driver"] = driver.group(1)
        elif address and MODULES.match(line.text):
            found[address].setdefault("driver", None)
    if found:
        functions = {key: PciFunction(**known) for key, known in found.items()}  # type: ignore[arg-type]  # by field name
        yield Pci(functions=functions, nvidia_gpus=list(functions), source=source)


def _described(function: re.Match[str]) -> dict[str, object]:
    _, kind, name = function.groups()
    known: dict[str, object] = {"vendor": "10de", "pci_class": CLASSES[kind]}
    if device := DEVICE.search(name):
        known["device"] = device.group(1)
    if "(rev " in name:  # ff is what a device that does not answer reads as
        known["config_readable"] = "(rev ff)" not in name
    return known
