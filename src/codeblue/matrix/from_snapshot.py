"""A snapshot as parts of a combination: the machine, and what is installed on it."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from codeblue.model.combination import Combination, Part
from codeblue.model.section import State, was_read
from codeblue.model.snapshot import Snapshot, View

COMPANIONS = ("torchvision", "torchaudio", "triton")


def machine_of(snapshot: Snapshot) -> Combination:
    """Return the driver, the GPUs and the system; the driver is the host's where a container is judged."""
    view = snapshot.machine
    if view is None:
        return Combination()
    below = snapshot.host or view
    found: dict[str, Part | None] = {
        "machine": _fact(view, "host.machine"),
        "glibc": _fact(view, "host.glibc"),
        "python": _fact(view, "python.version"),
        "driver": _fact(below, "driver.module_version") or _fact(view, "driver.module_version"),
        "kernel_modules": _fact(below, "driver.flavour") or _fact(view, "driver.flavour"),
        "toolkit": _toolkit(below),
        "nvcc_at_hand": _fact(view, "nvcc.version"),
    }
    known = {name: part for name, part in found.items() if part}
    return Combination(gpus=_gpus(view) or _gpus(below)).having(known)


def installed_in(snapshot: Snapshot) -> Combination:
    """Return the torch of the job's interpreter and what stands beside it."""
    view = snapshot.machine
    torch = _fact(view, "torch.version") if view is not None else None
    if view is None or torch is None:
        return Combination()
    targets = _read(view, "torch_trial", "arch_list") or ()
    cuda = _fact(view, "torch.cuda")
    distributions: Mapping[str, Any] = _read(view, "python", "distributions") or {}
    parts = {
        name: Part(distributions[name].version, f"python[{name}].version")
        for name in COMPANIONS
        if name in distributions and was_read(distributions[name], "version")
    }
    if cuda is None and "+" not in torch.value:
        torch = Part(f"{torch.value}+cpu", torch.origin)
    return Combination(torch=torch, targets=tuple(targets), torch_cuda=cuda).having(parts)


def _gpus(view: View) -> tuple[Part, ...]:
    gpus = _read(view, "nvml", "gpus") or {}
    named = {
        gpu.name: Part(gpu.name, f"nvml[{key}].name") for key, gpu in gpus.items() if was_read(gpu, "name")
    }
    return tuple(named.values())


def _toolkit(view: View) -> Part | None:
    tools = _read(view, "engine", "toolkit") or {}
    versions = [tool.version for tool in tools.values() if was_read(tool, "version") and tool.version]
    return Part(str(versions[0]), "engine.toolkit") if versions else None


def _fact(view: View, path: str) -> Part | None:
    section, _, field = path.partition(".")
    value = _read(view, section, field)
    return Part(str(value), path) if value else None


def _read(view: View, section: str, field: str) -> Any:
    """Return a fact; None if it was not read, or is not there."""
    found = getattr(view, section)
    if found is UNSET or found.state is not State.READ or not was_read(found, field):
        return None
    return getattr(found, field)
