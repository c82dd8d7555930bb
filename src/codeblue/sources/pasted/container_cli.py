"""``nvidia-container-cli -k -d /dev/tty info``, ``nvidia-ctk --version``: what the toolkit sees."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Cuda, Driver, Engine, Gpu, Nvml, Tool
from codeblue.model.section import Section
from codeblue.sources.clues import Line

FIELD = re.compile(r"^(NVRM version|CUDA version|Device Index|Model|Architecture|Bus Location): +(.+)$")
TOOL = re.compile(
    r"^(NVIDIA Container Toolkit CLI|NVIDIA Container Runtime|cli-version|NVIDIA Container Runtime Hook)"
    r"(?: version|:) ?v?(\d+\.\d+[\w.+~-]*)$"
)
NAMES = {
    "NVIDIA Container Toolkit CLI": "nvidia-ctk",
    "NVIDIA Container Runtime": "nvidia-container-runtime",
    "NVIDIA Container Runtime Hook": "nvidia-container-runtime-hook",
    "cli-version": "nvidia-container-cli",
}


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield driver, GPUs and the toolkit's versions."""
    gpus: dict[str, Gpu] = {}
    index, source = "", ""
    tools: dict[str, Tool] = {}
    for line in lines:
        text = line.text.strip()
        if tool := TOOL.match(text):
            tools[NAMES[tool.group(1)]] = Tool(version=tool.group(2))
            source = source or line.place
            continue
        field = FIELD.match(text)
        name, value = field.groups() if field else ("", "")
        if name == "NVRM version" and re.match(r"\d{3}\.\d+(?:\.\d+)?$", value):
            yield Driver(module_version=value, source=line.place)
            yield Nvml(driver_version=value, init=0, source=line.place)
        elif name == "CUDA version" and (version := re.match(r"(\d+)\.(\d+)$", value)):
            number = int(version.group(1)) * 1000 + int(version.group(2)) * 10
            yield Cuda(driver_version=number, source=line.place)
        elif name == "Device Index" and value.isdigit():
            index = value
        elif name == "Model" and index:
            gpus[index] = Gpu(handle=0, name=value)
    if gpus:
        yield Nvml(gpus=gpus, count=len(gpus), source="nvidia-container-cli")
    if tools:
        yield Engine(toolkit=tools, sources={"toolkit": source})
