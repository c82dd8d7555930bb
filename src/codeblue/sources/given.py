"""``--facts``: what the user knows besides the text, as a plain JSON object."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from codeblue.knowledge.gpus import gpu_named
from codeblue.model.facts import Container, Cuda, Driver, Engine, Gpu, Host, Nvml, Python, Tool, Torch
from codeblue.model.section import Section, State
from codeblue.model.text import message
from codeblue.sources.clues import Line
from codeblue.sources.target import Unusable

LARGEST = 1 << 20
"""Bytes."""
DRIVER = re.compile(r"\b\d{3}\.\d+(?:\.\d+)?\b")
TORCH = re.compile(r"\b\d+\.\d+(?:\.\d+)?[\w.]*(?:\+\w+)?")
BUILT = re.compile(r"\+cu(\d{2,3})\b")
PYTHON = re.compile(r"\b[23]\.\d+(?:\.\d+)?\b")
DISTRIBUTION = re.compile(
    r"^(ubuntu|debian|centos|rhel|fedora|rocky|alma\w*|arch|nixos|sles|opensuse)\b", re.I
)
VERSION = re.compile(r"\d+(?:\.\d+)?")
KERNEL = re.compile(r"\b\d+\.\d+\.\d+[\w.+-]*")
OF_SYSTEM = re.compile(r"\bkernel (\d+\.\d+\.\d+[\w.+-]*)", re.I)
MACHINE = re.compile(r"\b(x86_64|amd64|aarch64|arm64)\b", re.I)
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
RELEASE = re.compile(r"\b\d+\.\d+\.\d+[\w.+~-]*")
ENGINE = re.compile(r"\b(docker|podman|kubernetes|apptainer|enroot|lxc)\b", re.I)
NO_CONTAINER = re.compile(r"^(?:none|no|bare metal|host)$", re.I)
OF_DRIVER = re.compile(r"\bdriver\D{0,20}?(\d+)\.(\d+)|(\d+)\.(\d+)\D{0,20}\bdriver\b", re.I)
"""The driver's CUDA; a number alone may as well be a toolkit's or that of a build."""
COUNTED = re.compile(r"^(\d{1,3}) ?[x×] ?", re.I)
MOST_GPUS = 64
BRANDS = ("", "NVIDIA ", "NVIDIA GeForce ", "GeForce ", "NVIDIA RTX ", "Tesla ", "Quadro ")
"""What people leave out of the name that nvidia-smi prints."""


def read(path: str) -> dict[str, str]:
    """Return the facts by name, in the order of the file. Raises Unusable with one line."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise Unusable(
            message("{path}: cannot read: {why}", "{path}：无法读取：{why}", path=path, why=error.strerror)
        ) from None
    try:
        document = msgspec.json.decode(content[:LARGEST])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refused(path, str(error)) from None
    if not isinstance(document, dict):
        raise _refused(path, f"a {type(document).__name__} at the top")
    return dict(_flat("", document))


def _refused(path: str, why: str) -> Unusable:
    return Unusable(
        message(
            '{path}: facts must be one JSON object such as {{"driver": "550.54", "gpu": "A100"}}: {why}',
            '{path}：事实必须是一个 JSON 对象，例如 {{"driver": "550.54", "gpu": "A100"}}：{why}',
            path=path,
            why=why,
        )
    )


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else str(key), inner)
    elif isinstance(value, list):
        yield prefix, ", ".join(str(one) for one in value)
    elif value is not None:
        yield prefix, str(value)


def lines(facts: Mapping[str, str], name: str) -> list[Line]:
    """Return one line ``name: value`` for each fact, as clues read them."""
    return [
        Line(f"{key}: {value}"[:500], name, number, False)
        for number, (key, value) in enumerate(facts.items(), start=1)
    ]


def sections(facts: Mapping[str, str], name: str) -> Iterator[Section]:
    """Yield the sections that the facts fill; a value of another form than expected fills none."""
    if found := DRIVER.search(facts.get("driver", "")):
        yield Driver(module_version=found.group(), source=name)
    if found := TORCH.search(facts.get("torch", "")):
        yield _torch(found.group(), facts["torch"], name)
    if found := PYTHON.search(facts.get("python", "")):
        yield Python(version=found.group(), source=name)
    yield from _host(facts, name)
    yield from _container(facts, name)
    if gpus := _gpus(facts.get("gpu", "")):
        yield Nvml(gpus=gpus, source=name)
    if found := OF_DRIVER.search(facts.get("cuda", "")):
        major, minor = (number for number in found.groups() if number)
        yield Cuda(driver_version=int(major) * 1000 + int(minor) * 10, source=name)


def _host(facts: Mapping[str, str], name: str) -> Iterator[Host]:
    system = facts.get("os", "")
    if found := DISTRIBUTION.match(system):
        version = VERSION.search(system)
        if version:
            yield Host(distribution=found.group(1).lower(), distribution_version=version.group(), source=name)
    if found := KERNEL.search(facts.get("kernel", "")):
        yield Host(kernel=found.group(), source=name)
    elif found := OF_SYSTEM.search(system):
        yield Host(kernel=found.group(1), source=name)
    if found := MACHINE.search(system):
        machine = found.group(1).lower()
        yield Host(machine=MACHINES.get(machine, machine), source=name)
    if re.search(r"\bWSL", system):
        yield Host(wsl=True, source=name)


def _container(facts: Mapping[str, str], name: str) -> Iterator[Section]:
    if found := RELEASE.search(facts.get("toolkit", "")):
        yield Engine(toolkit={"nvidia-ctk": Tool(version=found.group())}, source=name)
    if found := RELEASE.search(facts.get("docker", "")):
        yield Engine(server_version=found.group(), source=name)
    if NO_CONTAINER.match(facts.get("container", "")):
        yield Container(state=State.ABSENT, source=name)
    elif found := ENGINE.search(facts.get("container", "")):
        yield Container(engine=found.group(1).lower(), source=name)


def _gpus(told: str) -> dict[str, Gpu]:
    """Return the GPUs that a value such as ``2x RTX 4090`` names, if the table knows one of that name."""
    counted = COUNTED.match(told)
    plain = told[counted.end() :] if counted else told
    known = (f"{brand}{plain.strip()}" for brand in BRANDS)
    found = next((one for one in known if gpu_named(one)), None)
    count = min(int(counted.group(1)), MOST_GPUS) if counted else 1
    return {str(number): Gpu(name=found) for number in range(count)} if found else {}


def _torch(version: str, whole: str, name: str) -> Torch:
    built = BUILT.search(version)
    if built:
        return Torch(version=version, cuda=f"{built.group(1)[:-1]}.{built.group(1)[-1]}", source=name)
    if re.search(r"\bcpu\b", whole):
        return Torch(version=version, cuda=None, source=name)
    return Torch(version=version, source=name)
