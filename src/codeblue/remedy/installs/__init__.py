"""A set of packages as the files and commands of the usual installers: data to text, nothing is run."""

from collections.abc import Callable

from codeblue.model.solution import Install
from codeblue.remedy.installs import conda, dockerfile, pip, pixi, uv

FORMS: dict[str, Callable[[Install], str]] = {
    "pip": pip.command,
    "uv": uv.pyproject,
    "conda": conda.environment,
    "pixi": pixi.manifest,
    "dockerfile": dockerfile.dockerfile,
    "requirements": pip.requirements,
}
"""Each form with what writes it; every text ends with a line break."""
