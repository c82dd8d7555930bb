"""pixi: a pixi.toml whose packages come from wheels."""

from collections.abc import Iterator

from codeblue.model.solution import Install

PLATFORMS = {"x86_64": "linux-64", "aarch64": "linux-aarch64"}


def manifest(install: Install) -> str:
    """Return the manifest."""
    return "".join(f"{line}\n" for line in _lines(install))


def _lines(install: Install) -> Iterator[str]:
    yield "[workspace]"
    yield 'name = "gpu-environment"'
    yield 'channels = ["conda-forge"]'
    yield f'platforms = ["{PLATFORMS[install.machine]}"]'
    if install.cuda is not None:
        yield ""
        yield "[system-requirements]"
        # The driver must bring this major version; minor-version compatibility does the rest.
        yield f'cuda = "{install.cuda.partition(".")[0]}"'
    yield ""
    yield "[dependencies]"
    if install.python.endswith("t"):
        yield f'python-freethreading = "{install.python.rstrip("t")}.*"'
    else:
        yield f'python = "{install.python}.*"'
    yield ""
    yield "[pypi-dependencies]"
    for package in install.packages:
        if package.variant and install.index is not None:
            yield f'{package.name} = {{ version = "=={package.version}", index = "{install.index}" }}'
        else:
            yield f'{package.name} = "=={package.version}"'
