"""Files that ask for packages: requirements, projects, environments of conda."""

import re
import sys
from collections.abc import Iterator

from codeblue.model.config.installs import Installs
from codeblue.model.config.place import Source
from codeblue.model.text import message
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.installs import as_file, gathered
from codeblue.sources.manifests import conda, pyproject, requirements, yaml_file
from codeblue.sources.target import Unusable


def read_requirements(source: Source) -> Iterator[object]:
    """Yield what a file of requirements asks for."""
    further: list[str] = []
    into = gathered(further)
    requirements.read(as_file(source), into)
    yield Installs(kind="requirements", manifest=into.manifest(), source=source, files=bool(further))


def read_conda(source: Source) -> Iterator[object]:
    """Yield what an environment of conda asks for. Raises Broken and Template."""
    if next(yaml_tree.documents(source), None) is None:
        return
    further: list[str] = []
    into = gathered(further)
    file = as_file(source)
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
    into = gathered([])
    pyproject.read(as_file(source), content, into)
    yield Installs(kind="project", manifest=into.manifest(), source=source)
