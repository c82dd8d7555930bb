"""The NVIDIA kernel module: /proc/driver/nvidia/version, ``modinfo``, words about two versions."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Driver, KernelModules, Library, Loader
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import outputs

VERSION = re.compile(r"^NVRM version: .{0,80}?Kernel Module\b.{0,40}?\s(\d{3}\.\d+(?:\.\d+)*)\b")
OF_SYSFS = re.compile(r"cat /sys/module/nvidia/version$")
BARE = re.compile(r"^(\d{3}\.\d+(?:\.\d+)*)$")
MISMATCH = re.compile(
    r"API mismatch: the client has the version (\d{3}\.[\d.]*\d).{0,60}?"
    r"this kernel module has the version (\d{3}\.[\d.]*\d)"
)
NVML = re.compile(r"^NVML library version: (\d{3}\.[\d.]*\d)$")
FILE = re.compile(r"^filename: +(/lib/modules/([^/]+)/\S*/nvidia(?:-current)?\.ko\S*)$")


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the version of the loaded module and those of the libraries that met it."""
    for line in lines:
        text = line.text.strip()
        if found := VERSION.match(text):
            flavour = "open" if "Open Kernel Module" in text else "proprietary"
            yield Driver(module_version=found.group(1), flavour=flavour, source=line.place)
        elif found := MISMATCH.search(text) if "API mismatch" in text else None:
            yield Driver(module_version=found.group(2), source=line.place)
            yield _library("libcuda.so.1", found.group(1), line)
        elif found := NVML.match(text):
            yield _library("libnvidia-ml.so.1", found.group(1), line)
        elif found := FILE.match(text):
            yield KernelModules(on_disk=[found.group(1)], source=line.place)
    for output in outputs(lines, OF_SYSFS):
        if output and (found := BARE.match(output[0].text.strip())):
            yield Driver(module_version=found.group(1), source=output[0].place)


def _library(soname: str, version: str, line: Line) -> Loader:
    row = Library(version=version, real=f"{soname.removesuffix('.1')}.{version}")
    return Loader(libraries={soname: row}, source=line.place)
