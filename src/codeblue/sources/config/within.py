"""Parts inside of parts: containers that a script starts, and packages that it installs."""

import re
from collections.abc import Iterator

from codeblue.model.config.shell import Script

SPEAKS = re.compile(r"\b(?:docker|podman|nerdctl|pip|uv|conda|mamba|micromamba)")
"""Programs that start containers or install packages."""


def parts(found: Iterator[object]) -> Iterator[object]:
    """Yield parts, each followed by those inside of it."""
    for part in found:
        yield part
        if isinstance(part, Script):
            yield from _of_script(part)


def _of_script(script: Script) -> Iterator[object]:
    if not SPEAKS.search(script.source.text):
        return
    # Most scripts do neither, and these two bring much.
    from codeblue.sources.config import docker_run, installs

    for run in docker_run.runs(script):
        yield run
        yield run.settings
        if run.image is not None:
            yield run.image
    # What an image installs is judged as a whole, with its variables.
    if not script.owner.startswith("stage "):
        yield from installs.of_script(script)
