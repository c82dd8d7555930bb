"""What files and commands install, by the readers of manifests."""

import os
import re
import sys
from collections.abc import Iterator

from codeblue.model.config.image import Image
from codeblue.model.config.installs import Installs
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Script
from codeblue.model.text import message
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.broken import Broken
from codeblue.sources.manifests import conda, images, pyproject, requirements, yaml_file
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
    into = _gathered(further)
    try:
        images.read(_file(source), into)
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
        into = _gathered(further)
        for variable, kind in images.INDEXES.items():
            for url in variables.get(variable, "").split():
                into.index(url, f"{name}:0", kind)
        Run(into, Copies(""), variables).command(words, lambda offset: f"{name}:{offset}")
        manifest = into.manifest()
        if manifest.requirements:
            yield Installs(kind="command", manifest=manifest, source=script.source, files=bool(further))


def read_requirements(source: Source) -> Iterator[object]:
    """Yield what a file of requirements asks for."""
    further: list[str] = []
    into = _gathered(further)
    requirements.read(_file(source), into)
    yield Installs(kind="requirements", manifest=into.manifest(), source=source, files=bool(further))


def read_conda(source: Source) -> Iterator[object]:
    """Yield what an environment of conda asks for. Raises Broken and Template."""
    if next(yaml_tree.documents(source), None) is None:
        return
    further: list[str] = []
    into = _gathered(further)
    file = _file(source)
    try:
        conda.read(file, yaml_file.loaded(file), into)
    except Unusable as error:
        raise Broken(source.place(0, 0), error.line) from None
    yield Installs(kind="conda", manifest=into.manifest(), source=source, files=bool(further))


def read_project(source: Source) -> Iterator[object]:
    """Yield what a Python project asks for. Raises Broken with the place."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content = tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line, column = (int(found[1]), int(found[2])) if found else (1, 1)
        at = sum(len(one) + 1 for one in source.text.split("\n")[: line - 1]) + column - 1
        why = re.sub(r" \(at .*\)$", "", str(error))
        raise Broken(
            source.place(at, at + 1), message("not TOML: {why}", "不是合法的 TOML：{why}", why=why)
        ) from None
    into = _gathered([])
    pyproject.read(_file(source), content, into)
    yield Installs(kind="project", manifest=into.manifest(), source=source)


def _gathered(further: list[str]) -> Gathered:
    return Gathered(MACHINE, None, lambda path, origin, restricts: further.append(path))


def _file(source: Source) -> File:
    return File(source.name, source.text, os.path.dirname(source.name))
