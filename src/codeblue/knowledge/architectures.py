"""Which GPUs a CUDA binary runs on: NVIDIA's rules for machine code and for PTX.

Machine code for X.y (``sm_Xy``) runs on GPUs X.z with z >= y. PTX (``compute_Xy``) is
compiled by the driver for every GPU that is not older. Embedded parts run only machine
code made for themselves. A target with the suffix ``a`` fits exactly one capability, one with ``f`` only
its family. Sources: CUDA C++ programming guide, "Binary compatibility" and "PTX compatibility";
the notes of the tables ``gpus`` and ``torch_releases``.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

EMBEDDED = frozenset({(5, 3), (6, 2), (7, 2), (8, 7), (11, 0)})
"""Jetson and Drive parts; their machine code is not shared with the desktop."""

RENAMED = {(10, 1): (11, 0)}
"""Capabilities that got another number in a later toolkit."""

_NAMED = re.compile(r"(?:(?:sm|compute)_?(\d{1,2})(\d)[af]?|(?:cc ?)?(\d{1,2})\.(\d))", re.IGNORECASE)

_TARGET = re.compile(r"(sm|compute)_(\d+)(\d)([af]?)")


class Target(NamedTuple):
    """One target of a build."""

    machine_code: bool
    capability: tuple[int, int]
    suffix: str


def capability_named(text: str) -> str | None:
    """Return the compute capability that a text like ``sm_89``, ``8.9`` or ``cc 8.9`` names, else None."""
    found = _NAMED.fullmatch(text.strip())
    return f"{found[1] or found[3]}.{found[2] or found[4]}" if found else None


def parsed(targets: Iterable[str]) -> list[Target]:
    """Return the CUDA targets among ``targets``; others, such as ``gfx90a``, are left out."""
    found = (_TARGET.fullmatch(target) for target in targets)
    return [
        Target(one[1] == "sm", _current((int(one[2]), int(one[3]))), one[4])
        for one in found
        if one is not None
    ]


def runs(capability: str, targets: Iterable[str]) -> bool:
    """Return whether a GPU of this capability (``8.9``) can run a build with these targets."""
    gpu = _numbers(capability)
    return any(_native(gpu, target) or _jit(gpu, target) for target in parsed(targets))


def needs_jit(capability: str, targets: Iterable[str]) -> bool:
    """Return whether the GPU can run the build only after the driver has compiled its PTX."""
    gpu = _numbers(capability)
    built = parsed(targets)
    return any(_jit(gpu, target) for target in built) and not any(_native(gpu, target) for target in built)


def too_old(capability: str, targets: Iterable[str]) -> bool:
    """Return whether the GPU is older than everything that the build was made for."""
    gpu = _numbers(capability)
    built = parsed(targets)
    return bool(built) and all(gpu < target.capability for target in built)


def _native(gpu: tuple[int, int], target: Target) -> bool:
    if not target.machine_code:
        return False
    if target.suffix == "a" or gpu in EMBEDDED or target.capability in EMBEDDED:
        return gpu == target.capability
    return gpu[0] == target.capability[0] and gpu[1] >= target.capability[1]


def _jit(gpu: tuple[int, int], target: Target) -> bool:
    if target.machine_code:
        return False
    if target.suffix == "a":
        return gpu == target.capability
    if target.suffix == "f" and gpu[0] != target.capability[0]:
        return False
    return gpu >= target.capability


def _numbers(capability: str) -> tuple[int, int]:
    major, _, minor = capability.partition(".")
    return _current((int(major), int(minor or 0)))


def _current(capability: tuple[int, int]) -> tuple[int, int]:
    return RENAMED.get(capability, capability)
