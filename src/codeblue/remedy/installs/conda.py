"""conda: an environment.yml, from the channel of PyTorch as long as it was filled, then with pip."""

from collections.abc import Iterator

from packaging.version import Version

from codeblue.model.solution import Install
from codeblue.remedy.installs import pip

FIRST_WITH_PYTORCH_CUDA = Version("1.13")
LAST_IN_CHANNEL = Version("2.5.1")
"""Last release of torch in the channel pytorch; source: "Deprecating PyTorch's official Anaconda channel",
pytorch/pytorch issue 138506."""
LAST_PYTHON_IN_CHANNEL = Version("3.12")
NAMES = {"torch": "pytorch"}
"""What the channel calls a package otherwise."""


def environment(install: Install) -> str:
    """Return the environment file."""
    return "".join(f"{line}\n" for line in _lines(install))


def in_channel(install: Install) -> bool:
    """Return whether the channel pytorch has the set: x86_64, torch 1.13 to 2.5.1, Python up to 3.12."""
    torch = next((one for one in install.packages if one.name == "torch"), None)
    if torch is None or not torch.variant.startswith("cu") or install.machine != "x86_64":
        return False
    fits = FIRST_WITH_PYTORCH_CUDA <= Version(torch.version) <= LAST_IN_CHANNEL
    return fits and not install.python.endswith("t") and Version(install.python) <= LAST_PYTHON_IN_CHANNEL


def _lines(install: Install) -> Iterator[str]:
    channel = in_channel(install)
    yield "name: gpu-environment"
    yield "channels:"
    for name in ("pytorch", "nvidia", "conda-forge") if channel else ("conda-forge",):
        yield f"  - {name}"
    yield "dependencies:"
    yield f"  - {_python(install.python)}"
    if channel:
        for package in install.packages:
            if package.variant:
                yield f"  - {NAMES.get(package.name, package.name)}={package.version}"
        yield f"  - pytorch-cuda={install.cuda}"
    rest = [package for package in install.packages if not (channel and package.variant)]
    if rest:
        yield "  - pip"
        yield "  - pip:"
        own = Install(
            packages=tuple(rest),
            index=None if channel else install.index,
            cuda=install.cuda,
            python=install.python,
            python_changes=False,
            machine=install.machine,
            driver_floor=None,
        )
        for line in pip.requirements(own).splitlines():
            yield f"      - {line}"


def _python(version: str) -> str:
    """Return the interpreter; the one without the global lock is a package of its own."""
    if version.endswith("t"):
        return f"python-freethreading={version.rstrip('t')}"
    return f"python={version}"
