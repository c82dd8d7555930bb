"""The driver's own libraries as the job's loader finds them, with their versions."""

import re

from codeblue.model.facts import Container, Cuda, Loader, Nvml, Packages
from codeblue.model.section import was_read

SONAMES = ("libcuda.so.1", "libnvidia-ml.so.1")
NOT_THE_DRIVERS = ("/compat/", "/stubs/", "/wsl/")
"""Folders whose libcuda has a version of its own, for good reason."""

USER_SPACE = re.compile(
    r"(?:libnvidia-compute|nvidia-utils|nvidia-driver|nvidia-compute-utils|nvidia-driver-cuda-libs"
    r"|nvidia-driver-libs|libnvidia-ml|libcuda1?)(?:-\d{3})?(?:-server|-open)*1?$"
)
"""Packages whose version is that of the driver's libraries."""
RELEASE = re.compile(r"(?:\d+:)?(\d{3}\.\d+(?:\.\d+)*)")

NVML_MISMATCH = 18
CUDA_MISMATCH = (803, 304)


def library_versions(loader: Loader) -> dict[str, str]:
    """Return the version by soname of those driver libraries that are found and say one."""
    found = {}
    for soname in SONAMES:
        library = loader.libraries.get(soname)
        if library is None or not library.version:
            continue
        if not any(folder in (library.real or "") for folder in NOT_THE_DRIVERS):
            found[soname] = library.version
    return found


def mismatch_symptoms(nvml: Nvml | None, cuda: Cuda | None) -> list[str]:
    """Return the paths of the facts with which the driver itself says that versions differ."""
    symptoms = []
    if nvml is not None and was_read(nvml, "init") and nvml.init == NVML_MISMATCH:
        symptoms.append("nvml.init")
    if cuda is not None and was_read(cuda, "init") and cuda.init in CUDA_MISMATCH:
        symptoms.append("cuda.init")
    return symptoms


def injected(loader: Loader, soname: str, container: Container) -> bool:
    """Return whether the library comes from the host and not from the image."""
    real = loader.libraries[soname].real or ""
    return any(real == place or real.startswith(f"{place}/") for place in container.injected)


def package_versions(packages: Packages) -> dict[str, str]:
    """Return the driver release by name of those packages that hold its libraries."""
    found = {}
    for name, package in packages.installed.items():
        release = RELEASE.match(package.version) if USER_SPACE.match(name) else None
        if release:
            found[name] = release.group(1)
    return found
