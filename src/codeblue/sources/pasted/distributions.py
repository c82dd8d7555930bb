"""``pip list``, ``pip freeze`` and ``conda list``: installed distributions, and torch among them."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Distribution, Python, Torch
from codeblue.model.section import Section
from codeblue.sources.clues import Line

FROZEN = re.compile(r"^([A-Za-z0-9][\w.-]*)==([\w.+!-]+)$")
LISTED = re.compile(r"^([A-Za-z0-9][\w.-]*) +(\d[\w.+!-]*)(?: +(\S+))?(?: +(\S+))?$")
LOCAL_CUDA = re.compile(r"\+cu(\d{2,3})$")
CONDA_CUDA = re.compile(r"cuda_?(\d+)\.?(\d)")
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
    for line in lines:
        entry = FROZEN.match(line.text) or LISTED.match(line.text)
        if not entry or not INTERESTING.match(entry.group(1)):
            continue
        source = f"{line.file}:{line.number}"
        first = first or source
        name = re.sub(r"[-_.]+", "-", entry.group(1)).lower()
        found.setdefault(name, Distribution(version=entry.group(2)))
        if name in ("torch", "pytorch") and torch is None:
            build = entry.group(3) if entry.re is LISTED else None
            torch = _torch(entry.group(2), build or "", source)
    if found:
        yield Python(distributions=found, source=first)
    if torch:
        yield torch


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
