"""What the name and the variables of a container image say of the versions in it."""

import re
from collections.abc import Mapping

from codeblue.knowledge.tables import table
from codeblue.model.combination import Combination, Part
from codeblue.model.manifest import Said

CUDA = re.compile(r"(?:^|/)nvidia/cuda:(\d+\.\d+)")
COMPILER = re.compile(
    r"(?:^|/)(?:nvidia/cuda:(\d+\.\d+)[\w.-]*-devel|pytorch/pytorch:[\d.]+-cuda(\d+\.\d+)-cudnn\d+-devel)"
)
"""Images that bring nvcc."""
TORCH = re.compile(r"(?:^|/)pytorch/pytorch:(\d+\.\d+\.\d+)-cuda(\d+)\.(\d+)-cudnn\d")
PYTHON = re.compile(r"(?:^|/)python:(\d+\.\d+)")
OFFICIAL = re.compile(
    r"(?:^|/)(ubuntu|debian|amazonlinux|alpine|rockylinux|almalinux|centos|ubi)(\d*)[^:]*:(\d+(?:\.\d\d)?)"
)


def of_image(image: Said | None, environment: Mapping[str, Said]) -> Combination:
    """Return what an image brings: CUDA, torch, Python, the C library, and what it asks of the driver."""
    parts: dict[str, Part] = {}
    if image is not None:
        parts.update(_named(image))
    for name, variable in (("require_cuda", "NVIDIA_REQUIRE_CUDA"), ("cuda", "CUDA_VERSION")):
        said = environment.get(variable)
        if said is not None and said.value:
            parts[name] = Part(said.value, said.origin)
    return Combination().having(parts)


def _named(image: Said) -> dict[str, Part]:
    found: dict[str, Part] = {}
    if cuda := CUDA.search(image.value):
        found["cuda"] = Part(cuda[1], image.origin)
    if nvcc := COMPILER.search(image.value):
        found["nvcc_at_hand"] = Part(nvcc[1] or nvcc[2], image.origin)
    if torch := TORCH.search(image.value):
        found["torch"] = Part(f"{torch[1]}+cu{torch[2]}{torch[3]}", image.origin)
    if python := PYTHON.search(image.value):
        found["python"] = Part(python[1], image.origin)
    glibc = _glibc(image.value)
    if glibc is not None:
        found["glibc"] = Part(glibc, image.origin)
    return found


def _glibc(image: str) -> str | None:
    """Return the C library of the distribution that the name of an image tells, also as a suffix."""
    named = OFFICIAL.search(image)
    words = set(re.split(r"[:/_-]", image))
    for row in table("distributions")["rows"]:
        family, version = row["family"], row["version"]
        spellings = {f"{family}{version}", *row["names"]} if version else {family}
        same = named is not None and {f"{named[1]}{named[3]}", f"{named[1]}{named[2]}"} & spellings
        if (
            same
            or words & spellings
            or any(word.startswith("alpine") and family == "alpine" for word in words)
        ):
            return str(row["glibc"])
    return None
