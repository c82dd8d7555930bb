"""Docker: an image with the packages, and what the host must bring."""

from collections.abc import Iterator

from msgspec import structs

from codeblue.model.solution import Install
from codeblue.remedy.installs import pip

BASE = "python:{python}-slim"
"""The official image of Python; the wheels bring all CUDA libraries but the driver's."""
WITHOUT_LOCK = "ghcr.io/astral-sh/uv:debian-slim"
"""No official image has an interpreter without the global lock; uv installs one."""


def dockerfile(install: Install) -> str:
    """Return the Dockerfile."""
    return "".join(f"{line}\n" for line in _lines(install))


def _lines(install: Install) -> Iterator[str]:
    if install.compat is not None:
        package = f"cuda-compat-{install.compat.replace('.', '-')}"
        yield f"# Install {package} in the image: it carries CUDA on the host's driver, which is older than"
        yield f"# {install.driver_floor}. Start it with: docker run --gpus all IMAGE"
    elif install.driver_floor is not None:
        yield f"# The host needs an NVIDIA driver {install.driver_floor} or newer and its container toolkit;"
        yield "# start it with: docker run --gpus all IMAGE"
    fresh = structs.replace(install, python_changes=False)
    if install.python.endswith("t"):
        yield f"FROM {WITHOUT_LOCK}"
        yield f"RUN uv python install {install.python} && uv venv --seed --python {install.python} /opt/venv"
        yield "ENV PATH=/opt/venv/bin:$PATH"
    else:
        yield f"FROM {BASE.format(python=install.python)}"
    for command in pip.commands(fresh):
        yield f"RUN {command.replace(' install ', ' install --no-cache-dir ', 1)}"
