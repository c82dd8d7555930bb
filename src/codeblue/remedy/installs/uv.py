"""uv: a pyproject.toml with the index of torch for torch only."""

from collections.abc import Iterator

from codeblue.model.solution import Install


def pyproject(install: Install) -> str:
    """Return the parts of a pyproject.toml that name the packages and where they come from."""
    return "".join(f"{line}\n" for line in _lines(install))


def _lines(install: Install) -> Iterator[str]:
    yield "[project]"
    yield 'name = "gpu-environment"'
    yield 'version = "0"'
    yield f'requires-python = "=={install.python.rstrip("t")}.*"'
    yield "dependencies = ["
    for package in install.packages:
        yield f'    "{package.name}=={package.version}",'
    yield "]"
    ours = [package for package in install.packages if package.variant]
    if install.index is None or not ours:
        return
    name = f"pytorch-{ours[0].variant}"
    yield ""
    yield "[[tool.uv.index]]"
    yield f'name = "{name}"'
    yield f'url = "{install.index}"'
    yield "explicit = true"
    yield ""
    yield "[tool.uv.sources]"
    for package in ours:
        yield f'{package.name} = {{ index = "{name}" }}'
