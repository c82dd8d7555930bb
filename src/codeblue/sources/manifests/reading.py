"""Files that say what should be installed: requirements, projects, locks, conda environments, images.

Each kind is known by its name or else by its content.
"""

import os
import re
from collections.abc import Sequence
from typing import Any

from codeblue import patience
from codeblue.model.manifest import Left, Manifest
from codeblue.sources.manifests import (
    conda,
    conda_lists,
    conda_locks,
    images,
    inspected,
    locks,
    pixi,
    pyproject,
    requirements,
    toml_file,
    uv_lock,
    wheels,
    yaml_file,
)
from codeblue.sources.manifests.files import File, load, refuse
from codeblue.sources.manifests.gathered import MOST_FILES, Gathered
from codeblue.sources.target import Unusable, no_answer

DOCKERFILE = re.compile(r"(?:.*[.-])?(?:dockerfile|containerfile)(?:[.-].*)?$", re.IGNORECASE)
TABLE = re.compile(r"\[\[?[A-Za-z\"'][\w.\"'-]*\]?\]|[\w-]+\s+=\s|[\w-]+\s*=\s*[\"\[{]")
KEY = re.compile(r"(?:name|channels|dependencies|version|package|metadata|prefix)\s*:(?:\s|$)|---\s*$")
LISTING = re.compile(
    r"# packages in environment at |^Package\s+Version\b"
    r"|# This file may be used to create an environment using:"
)
"""The first lines of ``conda list``, ``pip list`` and ``conda list --export``."""
DOCKERFILE_START = re.compile(r"(?:FROM|ARG)\s+\S", re.IGNORECASE)
TOML = (".toml", ".lock")
PIXI = ("workspace", "dependencies", "pypi-dependencies", "host-dependencies")
"""Tables that only pixi's own file has at its top."""
HEAD = 16 << 10
"""Characters that tell what a file is."""


def read(paths: Sequence[str], machine: str = "x86_64", python: str | None = None) -> Manifest:
    """Return everything that the files say, in their order; ``-`` is the standard input.

    Conditions are judged for Linux on ``machine`` and for ``python``, as ``3.11``; what depends on
    an unknown Python counts as asked for. Raises Unusable if a file cannot be used at all; parts
    that are not understood are in ``Manifest.left``.
    """
    into = Gathered(machine, python, lambda path, origin, restricts: _follow(path, origin, restricts, into))
    for path in paths:
        if path.lower().endswith(".whl"):
            wheels.read(path, into)
        else:
            file = load(path)
            into.visited.add((os.path.realpath(path), False))
            _file(file, into, False)
    return into.manifest()


def _follow(path: str, origin: str, restricts: bool, into: Gathered) -> None:
    """Read a file that another one names; one that cannot be used is left, and none is read twice."""
    if not patience.answers(path):
        into.leave(Left(origin=origin, why=no_answer(path), file=path))
        return
    key = (os.path.realpath(path), restricts)
    if key in into.visited:
        return
    into.visited.add(key)
    if len(into.visited) > MOST_FILES:
        into.left(
            origin,
            "only the first {most} files that name each other are read",
            "互相引用的文件只读取前 {most} 个",
            most=MOST_FILES,
        )
        return
    try:
        _file(load(path, nested=True), into, restricts)
    except Unusable as error:
        into.leave(Left(origin=origin, why=error.line, file=path))


def _file(file: File, into: Gathered, restricts: bool) -> None:
    """Read a file of whichever kind it is. Raises Unusable."""
    name = os.path.basename(file.name).lower()
    start = file.text[:HEAD].lstrip()
    if DOCKERFILE.match(name) or DOCKERFILE_START.match(_first(start)):
        images.read(file, into)
    elif name.endswith((".yml", ".yaml")) or (KEY.match(_first(start)) and not name.endswith(".toml")):
        _yaml(file, yaml_file.loaded(file), into)
    elif name.endswith(".json") or start[:1] == "{" or (start[:1] == "[" and not _toml_like(name, start)):
        inspected.read(file, into)
    elif name.endswith(TOML) or TABLE.match(_first(start)):
        _toml(file, toml_file.loaded(file), into)
    else:
        _lines(file, start, into, restricts)


def _toml_like(name: str, start: str) -> bool:
    return name.endswith(TOML) or TABLE.match(start) is not None


def _first(start: str) -> str:
    """Return the first line that is no comment."""
    lines = (line.strip() for line in start.split("\n"))
    return next((line for line in lines if line and not line.startswith("#")), "")


def _lines(file: File, start: str, into: Gathered, restricts: bool) -> None:
    """Read a text of one entry a line: a list of conda or pip, else requirements."""
    if re.search(r"^@EXPLICIT\s*$", start, re.MULTILINE):
        conda_lists.read_explicit(file, into)
    elif LISTING.search(start):
        conda_lists.read_list(file, into)
    else:
        understood, left = into.counts
        requirements.read(file, into, restricts)
        named = re.search(r"requirement|constraint", os.path.basename(file.name), re.IGNORECASE)
        # Any single word is the name of a distribution, so that of every log some lines are understood.
        if not named and into.counts[1] - left > into.counts[0] - understood:
            refuse(
                file.name,
                "hardly anything in it is understood; give requirements, a lock, a conda environment, "
                "a Dockerfile or the output of docker inspect",
                "其中几乎没有看得懂的内容；请给出 requirements、lock 文件、conda 环境、Dockerfile "
                "或 docker inspect 的输出",
            )


def _yaml(file: File, root: yaml_file.Node, into: Gathered) -> None:
    if root.get("package").rows:
        conda_locks.read(file, root, into)
    elif root.get("environments").items and root.get("packages").rows:
        conda_locks.read_pixi(file, root, into)
    elif root.get("dependencies").rows or root.get("channels").rows:
        conda.read(file, root, into)
    else:
        refuse(
            file.name,
            "YAML of an unknown kind; give environment.yml, conda-lock.yml or pixi.lock",
            "未知类型的 YAML；请给出 environment.yml、conda-lock.yml 或 pixi.lock",
        )


def _toml(file: File, content: dict[str, Any], into: Gathered) -> None:
    metadata = toml_file.table(content, "metadata")
    if "packages" in content and "lock-version" in content:
        locks.read_pylock(file, content, into)
    elif "lock_version" in metadata:
        locks.read_pdm(file, content, into)
    elif "lock-version" in metadata or "content-hash" in metadata:
        locks.read_poetry(file, content, into)
    elif "version" in content and ("package" in content or "requires-python" in content):
        uv_lock.read(file, content, into)
    elif any(name in content for name in PIXI):
        pixi.read(file, content, into)
    elif "project" in content or "tool" in content or "build-system" in content:
        pyproject.read(file, content, into)
    else:
        refuse(
            file.name,
            "TOML of an unknown kind; give pyproject.toml, pixi.toml, uv.lock, poetry.lock, pdm.lock "
            "or pylock.toml",
            "未知类型的 TOML；请给出 pyproject.toml、pixi.toml、uv.lock、poetry.lock、pdm.lock "
            "或 pylock.toml",
        )
