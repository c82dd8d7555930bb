"""Small files for the readers of manifests."""

from pathlib import Path

import pytest

from codeblue.model.manifest import Manifest
from codeblue.sources.manifests.reading import read
from codeblue.sources.target import Unusable


def written(folder: Path, name: str, content: str | bytes) -> str:
    """Write a file, and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def manifest(
    folder: Path, name: str, content: str | bytes, machine: str = "x86_64", python: str | None = None
) -> Manifest:
    """Return what one file of this name and content says."""
    return read([written(folder, name, content)], machine, python)


def refusal(folder: Path, name: str, content: str | bytes) -> str:
    """Return the line with which a file is refused, from its name on."""
    path = written(folder, name, content)
    with pytest.raises(Unusable) as refused:
        read([path])
    for lang in ("en", "zh"):
        assert refused.value.line.say(lang).isprintable()
    return str(refused.value).removeprefix(f"{folder}/")


def asked(found: Manifest) -> list[str]:
    """Return names, specifiers and lines: ``torch==2.7.1 3``."""
    return [f"{one.name}{one.specifier} {one.origin.rpartition(':')[2]}" for one in found.requirements]


def left(found: Manifest) -> list[str]:
    """Return the lines of what was left, with the reasons."""
    for one in found.left:
        assert one.why.say("zh") != one.why.say("en")
    return [f"{one.origin.rpartition(':')[2]}: {one.why.say('en')}" for one in found.left]


def indexes(found: Manifest) -> list[tuple[str, str]]:
    """Return kinds and addresses."""
    return [(one.kind, one.url) for one in found.indexes]
