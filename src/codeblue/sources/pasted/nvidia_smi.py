"""``nvidia-smi``: the banner, the table of GPUs, ``-L``."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Cuda, Driver, Gpu, Nvml
from codeblue.model.section import Section
from codeblue.sources.clues import Line

DRIVER = re.compile(r"(?:Driver|KMD) Version: *(\d{3}\.\d+(?:\.\d+)?)")
CUDA = re.compile(r"CUDA (?:UMD )?Version: *(\d+)\.(\d+)")
"""What the driver supports, not an installed toolkit; newer banners say UMD."""
NAME = re.compile(r"^\| +(\d+) +(\S.*?) {2,}(On|Off|N/A) *\| *([0-9A-Fa-f]{8}:[0-9A-Fa-f:.]+)")
USE = re.compile(r"(\d+)MiB / *(\d+)MiB .*?(?:\|[^|]*?(Default|E\. Process|Prohibited)[^|]*)?\|?$")
LISTED = re.compile(r"^GPU (\d+): (.+?) \(UUID: GPU-")
MODES = {"Default": "default", "E. Process": "exclusive-process", "Prohibited": "prohibited"}
MIB = 1 << 20


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield driver, CUDA version and GPUs."""
    for line in lines:
        driver = DRIVER.search(line.text)
        if driver:
            source = f"{line.file}:{line.number}"
            yield Driver(module_version=driver.group(1), source=source)
            yield Nvml(driver_version=driver.group(1), init=0, source=source)
        cuda = CUDA.search(line.text)
        if cuda and driver:
            number = int(cuda.group(1)) * 1000 + int(cuda.group(2)) * 10
            yield Cuda(driver_version=number, source=f"{line.file}:{line.number}")
    gpus = _gpus(lines)
    if gpus:
        yield Nvml(gpus=gpus, count=len(gpus), source="nvidia-smi")


def _gpus(lines: Sequence[Line]) -> dict[str, Gpu]:
    gpus: dict[str, Gpu] = {}
    for position, line in enumerate(lines):
        row = NAME.match(line.text)
        if row:
            below = lines[position + 1].text if position + 1 < len(lines) else ""
            gpus[row.group(1)] = _gpu(row, below)
        elif listed := LISTED.match(line.text):
            gpus.setdefault(listed.group(1), Gpu(handle=0, name=listed.group(2)))
    return gpus


def _gpu(row: re.Match[str], below: str) -> Gpu:
    use = USE.search(below)
    known: dict[str, object] = {"persistence": row.group(3) == "On"} if row.group(3) != "N/A" else {}
    if use:
        known |= {"memory_used": int(use.group(1)) * MIB, "memory_total": int(use.group(2)) * MIB}
        mode = MODES.get(use.group(3) or "")
        known |= {"compute_mode": mode} if mode else {}
    return Gpu(handle=0, name=row.group(2), pci=row.group(4).lower(), **known)  # type: ignore[arg-type]  # by field name
