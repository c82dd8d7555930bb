"""``nvidia-smi``: banner, tables of GPUs and processes, ``-L``, ``--version``, and the words of a failure."""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from codeblue.model.facts import Cuda, Driver, Gpu, GpuProcess, Nvml
from codeblue.model.section import Section
from codeblue.sources.clues import Line

DRIVER = re.compile(r"(?:Driver|KMD) Version: {0,9}(\d{3}\.\d+(?:\.\d+)?)")
CUDA = re.compile(r"CUDA (?:UMD )?Version: {0,9}(\d+)\.(\d+)")
"""What the driver supports, not an installed toolkit; driver branch 610 writes KMD and UMD."""
NAME = re.compile(
    r"^\| +(\d+) +(\S.*?) {2,}(On|Off|N/A|WDDM|TCC|MCDM) *\| *([0-9A-Fa-f]{8}:[0-9A-Fa-f:.]+)[^|]*\|"
    r"(?: *(\d+|Off|N/A) *\|)?"
)
USE = re.compile(r"(\d+)MiB / {0,9}(\d+)MiB .*?(?:\|[^|]*?(Default|E\. Process|Prohibited)[^|]*)?\|?$")
HEAT = re.compile(r"^\| *\S+ +(\d+)C +P\d")
MIG = re.compile(r"^\|[^|]*\|[^|]*\| *(Enabled|Disabled)\*? *\|$")
PROCESS = re.compile(
    r"^\| +(\d+) +(?:(?:N/A|\d+) +(?:N/A|\d+) +)?(\d+) +(?:C|G|C\+G|M\+C) +(\S.*?) +(\d+)MiB *\|$"
)
NO_MIG = re.compile(r"^\| +No MIG devices found +\|$")
VERSION = re.compile(r"^(?:DRIVER|KMD) version +: (\d{3}\.\d+(?:\.\d+)?)$")
VERSION_CUDA = re.compile(r"^CUDA (?:UMD )?[Vv]ersion +: (\d+)\.(\d+)$")
"""``nvidia-smi --version``."""
LISTED = re.compile(r"^GPU (\d+): (.+?) \(UUID: GPU-")
MIG_LISTED = re.compile(r"^ +MIG \S+ +Device +\d+: \(UUID: MIG-")
MODES = {"Default": "default", "E. Process": "exclusive-process", "Prohibited": "prohibited"}
FAILED = re.compile(r"^(?:Failed to initialize NVML|Impossible to initialize nvidia nvml ?): (.+)$")
CODES = {
    "Driver/library version mismatch": 18,
    "Insufficient Permissions": 4,
    "Driver Not Loaded": 9,
    "Unknown Error": 999,
}
"""NVML's return codes by the words of its own table."""
MIB = 1 << 20


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield driver, CUDA version and GPUs; where it failed, the code of NVML."""
    answered = False
    for line in lines:
        driver = DRIVER.search(line.text) if "Version:" in line.text else None
        if driver:
            answered = True
            yield Driver(module_version=driver.group(1), source=line.place)
            yield Nvml(driver_version=driver.group(1), init=0, source=line.place)
        cuda = CUDA.search(line.text) if driver else VERSION_CUDA.match(line.text)
        if cuda:
            yield Cuda(driver_version=int(cuda.group(1)) * 1000 + int(cuda.group(2)) * 10, source=line.place)
        if version := VERSION.match(line.text):
            yield Driver(module_version=version.group(1), source=line.place)
            yield Nvml(driver_version=version.group(1), source=line.place)
    gpus = _gpus(lines)
    if gpus:
        yield Nvml(gpus=_with_processes(gpus, lines), count=len(gpus), source="nvidia-smi")
    elif not answered:
        yield from _failures(lines)


def _failures(lines: Sequence[Line]) -> Iterator[Nvml]:
    for line in lines:
        failed = FAILED.match(line.text.strip())
        code = CODES.get(failed.group(1).strip()) if failed else None
        if code is not None:
            yield Nvml(init=code, source=line.place)


def _gpus(lines: Sequence[Line]) -> dict[str, Gpu]:
    gpus: dict[str, Gpu] = {}
    last = ""
    for position, line in enumerate(lines):
        text = line.text
        if row := NAME.match(text):
            last = row.group(1)
            gpus[last] = _gpu(row, [below.text for below in lines[position + 1 : position + 3]])
        elif listed := LISTED.match(text):
            last = listed.group(1)
            gpus.setdefault(last, Gpu(handle=0, name=listed.group(2)))
        elif last and MIG_LISTED.match(text):
            known = structs.asdict(gpus[last]).get("mig_instances")
            count = known + 1 if isinstance(known, int) else 1
            gpus[last] = structs.replace(gpus[last], mig=True, mig_instances=count)
        elif NO_MIG.match(text):
            gpus = {key: _without_instances(gpu) for key, gpu in gpus.items()}
    return gpus


def _without_instances(gpu: Gpu) -> Gpu:
    return structs.replace(gpu, mig_instances=0) if structs.asdict(gpu).get("mig") is True else gpu


def _gpu(row: re.Match[str], below: Sequence[str]) -> Gpu:
    known: dict[str, object] = {"persistence": row.group(3) == "On"} if row.group(3) in ("On", "Off") else {}
    if ecc := row.group(5):
        known |= {"ecc": ecc != "Off"} if ecc != "N/A" else {}
        known |= {"ecc_uncorrected": int(ecc)} if ecc.isdigit() else {}
    if use := USE.search(below[0]) if below else None:
        known |= {"memory_used": int(use.group(1)) * MIB, "memory_total": int(use.group(2)) * MIB}
        mode = MODES.get(use.group(3) or "")
        known |= {"compute_mode": mode} if mode else {}
    if heat := HEAT.match(below[0]) if below else None:
        known["temperature"] = int(heat.group(1))
    if mig := MIG.match(below[1]) if len(below) > 1 else None:
        known["mig"] = mig.group(1) == "Enabled"
    return Gpu(handle=0, name=row.group(2), pci=row.group(4).lower(), **known)  # type: ignore[arg-type]  # by field name


def _with_processes(gpus: dict[str, Gpu], lines: Sequence[Line]) -> dict[str, Gpu]:
    """Add the table of processes. An empty one says nothing: in a container it is always empty."""
    found: dict[str, list[GpuProcess]] = {}
    for line in lines:
        row = PROCESS.match(line.text)
        if row and row.group(1) in gpus:
            process = GpuProcess(
                pid=int(row.group(2)),
                name=row.group(3).rpartition("/")[2],
                memory_bytes=int(row.group(4)) * MIB,
            )
            found.setdefault(row.group(1), []).append(process)
    if not found:
        return gpus
    return {key: structs.replace(gpu, processes=found.get(key, [])) for key, gpu in gpus.items()}
