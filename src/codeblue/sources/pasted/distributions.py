"""``pip list``, ``pip freeze``, ``pip show`` and ``conda list``: distributions, and torch among them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codeblue.model.facts import Distribution, Python, Torch
from codeblue.model.section import Section
from codeblue.sources.clues import Line

FROZEN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([\w.+!-]+)$")
LISTED = re.compile(r"^([A-Za-z0-9][\w.-]*) +(\d[\w.+!-]*)(?: +(\S+))?(?: +(\S+))?$")
LOCAL_CUDA = re.compile(r"\+cu(\d{2,3})$")
CONDA_CUDA = re.compile(r"cuda_?(\d+)\.?(\d)")
REPORTED = re.compile(
    r"^\[(?:pip3?|conda)\] ([A-Za-z0-9][\w.-]*)(?:==| +)(\d[\w.+!-]*)(?: +(\S+))?(?: +(\S+))?$"
)
"""A line of collect_env."""
SHOWN_NAME = re.compile(r"^Name: ([A-Za-z0-9][\w.-]*)$")
SHOWN_VERSION = re.compile(r"^Version: (\d[\w.+!-]*)$")
SHOWN_PLACE = re.compile(r"^Location: (/\S+)$")
INTERESTING = re.compile(
    r"^(?:torch\w*|pytorch\w*|triton|tensorflow\w*|jax\w*|flash[-_]attn|xformers|vllm|deepspeed|numpy|nvidia[-_]"
    r".*|onnxruntime.*|tensorrt.*|cuda.*|bitsandbytes|apex|cupy.*|nccl|cudnn|cpuonly|mkl)$",
    re.IGNORECASE,
)


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the distributions that GPU work depends on; an excerpt leaves the others unread."""
    found: dict[str, Distribution] = {}
    torch: Torch | None = None
    first = ""
    for row in _rows(lines):
        if not INTERESTING.match(row.name):
            continue
        first = first or row.place
        name = re.sub(r"[-_.]+", "-", row.name).lower()
        known = {"location": row.location} if row.location else {}
        found.setdefault(name, Distribution(version=row.version, **known))  # type: ignore[arg-type]  # by field name
        if name in ("torch", "pytorch") and torch is None:
            torch = _torch(row.version, row.build, row.place)
    if found:
        yield Python(distributions=found, source=first)
    if torch:
        yield torch


class Row(NamedTuple):
    """One installed distribution."""

    name: str
    version: str
    place: str
    build: str = ""
    """conda's build string."""
    location: str = ""


def _rows(lines: Sequence[Line]) -> Iterator[Row]:
    for position, line in enumerate(lines):
        if entry := FROZEN.match(line.text):
            yield Row(entry.group(1), entry.group(2), line.place)
        elif entry := LISTED.match(line.text) or REPORTED.match(line.text):
            yield Row(entry.group(1), entry.group(2), line.place, entry.group(3) or "")
        elif (entry := SHOWN_NAME.match(line.text)) and (
            shown := _shown(lines[position + 1 : position + 10])
        ):
            yield Row(entry.group(1), shown[0], line.place, location=shown[1])


def _shown(below: Sequence[Line]) -> tuple[str, str] | None:
    """Return version and location that ``pip show`` prints below the name."""
    version = next((hit.group(1) for line in below if (hit := SHOWN_VERSION.match(line.text))), None)
    place = next((hit.group(1) for line in below if (hit := SHOWN_PLACE.match(line.text))), "")
    return None if version is None else (version, place)


def _torch(version: str, build: str, source: str) -> Torch:
    """Return what the version, or conda's build string, says; a bare version leaves CUDA unread."""
    local = LOCAL_CUDA.search(version)
    if local:
        digits = local.group(1)
        return Torch(version=version, cuda=f"{digits[:-1]}.{digits[-1]}", source=source)
    conda = CONDA_CUDA.search(build)
    if conda:
        return Torch(version=version, cuda=f"{conda.group(1)}.{conda.group(2)}", source=source)
    if version.endswith("+cpu") or "cpu" in build:
        return Torch(version=version, cuda=None, source=source)
    return Torch(version=version, source=source)
