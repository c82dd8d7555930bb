"""``uname``, /etc/os-release, ``free``, ``mokutil``, /proc/cmdline, ``ldd --version``: the machine."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Host
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import outputs, runs

UNAME = re.compile(
    r"^Linux \S{1,64} (\d+\.\d+\S*) #\d.{0,100}? (x86_64|aarch64|ppc64le)(?: \S+){0,2} (?:GNU/)?Linux$"
)
UNAME_R = re.compile(r"uname -r$")
RELEASE = re.compile(r"^\d+\.\d+\.\d+\S*$")
ID = re.compile(r"^ID=\"?([a-z][\w.-]*)\"?$")
VERSION_ID = re.compile(r"^VERSION_ID=\"?(\d[\w.]*)\"?$")
MEMORY = re.compile(r"^Mem: +(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|[KMGT]|B)?(?: +\S+){5}$")
FREE = re.compile(r"free(?: -(\w))?$")
UNITS = {"B": 0, "K": 10, "M": 20, "G": 30, "T": 40}
SECURE_BOOT = re.compile(r"^SecureBoot (enabled|disabled)$")
NO_UEFI = re.compile(r"^EFI variables are not supported on this system$")
CMDLINE = re.compile(r"^(?:BOOT_IMAGE=|initrd=)\S+ .{0,1500}$")
GLIBC = re.compile(r"^ldd \(.{0,60}?\) (2\.\d+)$")


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield what the machine says of itself; its name is left out."""
    for line in lines:
        yield from _said(line.text.strip(), line.place)
    for output in outputs(lines, UNAME_R):
        if output and RELEASE.match(output[0].text.strip()):
            yield Host(kernel=output[0].text.strip(), source=output[0].place)
    yield from _memory(lines)


def _said(text: str, place: str) -> Iterator[Host]:
    if found := UNAME.match(text):
        wsl = "microsoft" in found.group(1).lower()
        yield Host(kernel=found.group(1), machine=found.group(2), wsl=wsl, source=place)
    elif found := ID.match(text):
        yield Host(distribution=found.group(1), source=place)
    elif found := VERSION_ID.match(text):
        yield Host(distribution_version=found.group(1), source=place)
    elif found := SECURE_BOOT.match(text):
        yield Host(secure_boot=found.group(1) == "enabled", source=place)
    elif NO_UEFI.match(text):
        yield Host(secure_boot=None, source=place)
    elif found := GLIBC.match(text):
        yield Host(glibc=found.group(1), source=place)
    elif CMDLINE.match(text):
        yield Host(cmdline=text.split()[1:], source=place)


def _memory(lines: Sequence[Line]) -> Iterator[Host]:
    """Yield the size of the memory; without a unit the option of the command says it, else kibibytes."""
    for typed, output in runs(lines):
        asked = FREE.match(typed)
        for line in output[:3] if asked else ():
            found = MEMORY.match(line.text.strip())
            if asked and found:
                unit = (found.group(2) or asked.group(1) or "K")[0].upper()
                size = float(found.group(1)) * (1 << UNITS.get(unit, 10))
                yield Host(memory_bytes=int(size), source=line.place)
