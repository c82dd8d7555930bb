"""``python -m torch.utils.collect_env`` and its relatives (vLLM, mmcv): torch, GPUs, driver."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Driver, Gpu, Host, Nvml, Python, Torch, TorchTrial
from codeblue.model.section import Section
from codeblue.sources.clues import Line

TORCH = re.compile(r"^(?:PyTorch version|PyTorch|torch version) *: *(\d+\.\d[\w.]*(?:\+[\w.]+)?)$")
BUILT = re.compile(r"^CUDA used to build PyTorch *: *(?:(\d+\.\d+)|(None|N/A|Could not collect))$")
HIP = re.compile(r"^ROCM used to build PyTorch *: *(?:(\d[\w.-]*)|N/A)$")
AVAILABLE = re.compile(r"^(?:Is CUDA available|CUDA available) *: *(True|False)$")
DRIVER = re.compile(r"^Nvidia driver version *: *(\d{3}\.\d+(?:\.\d+)?)$")
GPU = re.compile(r"^(?:GPU models and configuration *: *)?GPU (\d+(?:,\d+)*) *: *(.+?)(?: \(UUID: .*\))?$")
PYTHON = re.compile(r"^(?:Python version|Python) *: *(\d+\.\d+\.\d+)\b")
LIBC = re.compile(r"^Libc version *: *glibc-(\d+\.\d+)$")
PLATFORM = re.compile(r"^Python platform *: *Linux-(\S+)-(x86_64|aarch64)-with")
OS = re.compile(r"^OS *: *(Ubuntu|Debian|Fedora|CentOS|Rocky|AlmaLinux|Red Hat)\D{0,40}(\d+(?:\.\d+)?)")
IDS = {"Red Hat": "rhel", "AlmaLinux": "almalinux"}
BEGIN = re.compile(r"^(?:Collecting environment information\.\.\.|PyTorch version *: |sys\.platform *: )")


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the report's facts. Its CUDA runtime version is that of a toolkit, not the driver's."""
    begin = next((n for n, line in enumerate(lines) if BEGIN.match(line.text)), None)
    if begin is None:
        return
    facts: dict[str, object] = {}
    gpus: dict[str, Gpu] = {}
    for line in lines[begin:]:
        text = line.text.strip()
        if found := TORCH.match(text):
            facts.setdefault("version", found.group(1))
        elif found := BUILT.match(text):
            if found.group(2) != "Could not collect":
                facts.setdefault("cuda", found.group(1))
        elif found := HIP.match(text):
            facts.setdefault("hip", found.group(1))
        elif found := AVAILABLE.match(text):
            yield TorchTrial(imported=True, available=found.group(1) == "True", source=line.place)
        elif found := DRIVER.match(text):
            yield Driver(module_version=found.group(1), source=line.place)
        elif found := GPU.match(text):
            gpus |= {number: Gpu(name=found.group(2)) for number in found.group(1).split(",")}
        else:
            yield from _host(text, line.place)
    if "version" in facts:
        yield Torch(**facts, source=lines[begin].place)  # type: ignore[arg-type]  # by field name
    if gpus:
        yield Nvml(gpus=gpus, source=lines[begin].place)


def _host(text: str, place: str) -> Iterator[Section]:
    if found := PYTHON.match(text):
        yield Python(version=found.group(1), source=place)
    elif found := LIBC.match(text):
        yield Host(glibc=found.group(1), source=place)
    elif found := PLATFORM.match(text):
        wsl = "microsoft" in found.group(1).lower()
        yield Host(kernel=found.group(1), machine=found.group(2), wsl=wsl, source=place)
    elif found := OS.match(text):
        name = IDS.get(found.group(1), found.group(1).lower())
        yield Host(distribution=name, distribution_version=found.group(2), source=place)
