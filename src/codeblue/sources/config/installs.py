"""What images and commands install, by the readers of manifests."""

import os
import re
from collections.abc import Iterator

from codeblue.model.config.image import Image
from codeblue.model.config.installs import Installs
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Script
from codeblue.sources.manifests import images
from codeblue.sources.manifests.copies import Copies
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.installs import Run
from codeblue.sources.manifests.shell_words import commands
from codeblue.sources.target import Unusable

INSTALLERS = re.compile(r"\b(?:pip[\d.]*|uv|conda|mamba|micromamba)\b")
MACHINE = "x86_64"


def of_image(source: Source, base: Image | None) -> Iterator[Installs]:
    """Yield what the last stage of a Dockerfile installs."""
    further: list[str] = []
    into = gathered(further)
    try:
        images.read(as_file(source), into)
    except Unusable:
        return
    # A file that a RUN names, and that is not here, is left by the reader of commands.
    files = bool(further) or re.search(r"\s(?:-r|--requirement|-c|--file|-f)\s", source.text) is not None
    yield Installs(kind="image", manifest=into.manifest(), source=source, image=base, files=files)


def of_script(script: Script) -> Iterator[Installs]:
    """Yield what each command of a script installs; what two of them install need not meet."""
    text, name = script.source.text, script.source.name
    if not INSTALLERS.search(text):
        return
    variables = {one.name: one.value for one in script.settings if one.value is not None}
    for words in commands(text):
        further: list[str] = []
        into = gathered(further)
        for variable, kind in images.INDEXES.items():
            for url in variables.get(variable, "").split():
                into.index(url, f"{name}:0", kind)
        Run(into, Copies(""), variables).command(words, lambda offset: f"{name}:{offset}")
        manifest = into.manifest()
        if manifest.requirements:
            yield Installs(kind="command", manifest=manifest, source=script.source, files=bool(further))


def gathered(further: list[str]) -> Gathered:
    """Return what collects; files that others name are put into ``further``, and not read."""
    return Gathered(MACHINE, None, lambda path, origin, restricts: further.append(path))


def as_file(source: Source) -> File:
    """Return a source as the readers of manifests want it."""
    return File(source.name, source.text, os.path.dirname(source.name))
