"""Parts inside of parts: containers that a script starts, and packages that it installs."""

from collections.abc import Iterator

from codeblue.model.config.shell import Script
from codeblue.sources.config import docker_run, installs


def parts(found: Iterator[object]) -> Iterator[object]:
    """Yield parts, each followed by those inside of it."""
    for part in found:
        yield part
        if isinstance(part, Script):
            yield from _of_script(part)


def _of_script(script: Script) -> Iterator[object]:
    for run in docker_run.runs(script):
        yield run
        yield run.settings
        if run.image is not None:
            yield run.image
    # What an image installs is judged as a whole, with its variables.
    if not script.owner.startswith("stage "):
        yield from installs.of_script(script)
