"""pip: one command, or a requirements file."""

import shlex

from codeblue.model.solution import Install, Package


def command(install: Install) -> str:
    """Return the commands: one for the index of torch, and one for PyPI if something comes from there."""
    return "".join(f"{line}\n" for line in commands(install))


def commands(install: Install) -> list[str]:
    """Return the shell commands, without line breaks."""
    python = f"python{install.python}" if install.python_changes else "python"
    start = [python, "-m", "pip", "install"]
    if install.index is None:
        words = [requirement(one) for one in install.packages]
        return [shlex.join([*start, *words])] if words else []
    ours = [requirement(one) for one in install.packages if one.variant]
    others = [requirement(one) for one in install.packages if not one.variant]
    found = [shlex.join([*start, *ours, "--index-url", install.index])]
    return found + ([shlex.join([*start, *others])] if others else [])


def requirements(install: Install) -> str:
    """Return a requirements file.

    A file has one set of indexes for all its lines. If PyPI is needed too, the local part of the version
    holds pip to the build of the other index.
    """
    if install.index is None:
        return "".join(f"{requirement(one)}\n" for one in install.packages)
    if all(one.variant for one in install.packages):
        lines = [f"--index-url {install.index}", *(requirement(one) for one in install.packages)]
    else:
        lines = [f"--extra-index-url {install.index}", *(_local(one) for one in install.packages)]
    return "".join(f"{line}\n" for line in lines)


def requirement(package: Package) -> str:
    """Return one package with its version as pip reads it."""
    return _local(package) if package.exact else f"{package.name}=={package.version}"


def _local(package: Package) -> str:
    local = f"+{package.variant}" if package.variant else ""
    return f"{package.name}=={package.version}{local}"
