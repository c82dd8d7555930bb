"""``poetry.lock``, ``pdm.lock``, ``pylock.toml`` and ``Pipfile.lock``: exact versions, for Linux."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import pip_specs
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, public
from codeblue.sources.manifests.places import Places
from codeblue.sources.manifests.toml_file import MOST, addresses, rows, table, tables, word
from codeblue.sources.manifests.version_ranges import NotPep440, exact, from_poetry

MAIN = {"main", "default"}
"""Groups that are always installed."""
SDIST = (".tar.gz", ".zip", ".tar.bz2")


class Locked(NamedTuple):
    """One entry of a lock, whichever tool wrote it."""

    requirement: Requirement
    files: tuple[str, ...]
    """Names of the files that it may be installed from."""


def read_poetry(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read ``poetry.lock``."""
    places = Places(file)
    python = word(content, "metadata", "python-versions")
    _python(python, places.of("metadata", "python-versions"), into)
    _keep(_entries(content, places, into, "package", _poetry), into)


def _poetry(told: dict[str, Any], origin: str, into: Gathered) -> Locked | None:
    markers = told.get("markers")
    marker = markers if isinstance(markers, str) else word(markers, "main")
    groups = {one for one in rows(told.get("groups")) if isinstance(one, str)}
    if told.get("optional") is True or (groups and not groups & MAIN) or not into.holds(marker, origin):
        return None
    source = table(told, "source")
    is_index = word(source, "type") in ("legacy", "pypi")
    return _locked(told, origin, source if not is_index else {}, word(source, "url") if is_index else "")


def read_pdm(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read ``pdm.lock``."""
    places = Places(file)
    target = next(tables(table(content, "metadata").get("targets")), {})
    _python(word(target, "requires_python"), places.of("metadata", "requires_python"), into)
    _keep(_entries(content, places, into, "package", _pdm), into)


def _pdm(told: dict[str, Any], origin: str, into: Gathered) -> Locked | None:
    groups = {one for one in rows(told.get("groups")) if isinstance(one, str)}
    if (groups and not groups & MAIN) or not into.holds(word(told, "marker"), origin):
        return None
    return _locked(told, origin, told, "")


def read_pylock(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read ``pylock.toml`` (PEP 751)."""
    places = Places(file)
    _python(word(content, "requires-python"), places.of("", "requires-python"), into)
    _keep(_entries(content, places, into, "packages", _pylock), into)


def _pylock(told: dict[str, Any], origin: str, into: Gathered) -> Locked | None:
    if not into.holds(word(told, "marker"), origin):
        return None
    source = table(told, "archive") or table(told, "vcs") or table(told, "directory")
    files = {"files": [*tables(told.get("wheels")), *([told["sdist"]] if table(told, "sdist") else [])]}
    return _locked({**told, **files}, origin, source, word(told, "index"))


def read_pipfile(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read ``Pipfile.lock``, but for its development part."""
    places, meta = Places(file), table(content, "_meta")
    python = word(meta, "requires", "python_full_version") or word(meta, "requires", "python_version")
    into.python(python, places.next('"requires"'))
    urls = addresses(meta.get("sources"))
    for position, url in enumerate(urls.values()):
        into.index(url, places.next(f'"{url}"'), "extra-index" if position else "index")
    places.next('"default"')
    for name, told in list(table(content, "default").items())[:MOST]:
        origin = places.next(f'"{name}"')
        if isinstance(told, dict) and into.holds(word(told, "markers"), origin):
            index = urls.get(word(told, "index"), "")
            version = word(told, "version").lstrip("=")
            into.add(_locked({**told, "name": name, "version": version}, origin, told, index).requirement)


def _python(told: str, origin: str, into: Gathered) -> None:
    try:
        into.python(from_poetry(told), origin)
    except NotPep440:
        into.left(
            origin,
            "the range of Python '{told}' is not understood",
            "看不懂 Python 的范围 '{told}'",
            told=told,
        )


def _entries(
    content: dict[str, Any],
    places: Places,
    into: Gathered,
    name: str,
    entry: Callable[[dict[str, Any], str, Gathered], Locked | None],
) -> list[Locked]:
    pairs = zip(tables(content.get(name)), places.entries(name), strict=False)
    return [found for told, origin in pairs if word(told, "name") and (found := entry(told, origin, into))]


def _locked(told: dict[str, Any], origin: str, source: dict[str, Any], index: str) -> Locked:
    url = word(source, "url") or word(source, "git") or word(source, "file") or word(source, "path")
    names = (word(one, "file") or word(one, "name") or word(one, "url") for one in tables(told.get("files")))
    requirement = Requirement(
        name=canonicalize_name(word(told, "name")),
        specifier=exact(word(told, "version")),
        origin=origin,
        url=public(url) if url else None,
        index=public(index) if index else None,
        locked=True,
    )
    return Locked(requirement, tuple(filter(None, names)))


def _keep(entries: Iterable[Locked], into: Gathered) -> None:
    """Keep the entries; of several versions of one package those with a file that Linux can install."""
    by_name: dict[str, list[Locked]] = {}
    for entry in entries:
        by_name.setdefault(entry.requirement.name, []).append(entry)
    for same in by_name.values():
        usable = [entry for entry in same if _installs(entry.files, into.machine)]
        for entry in usable if len(same) > 1 and usable else same:
            into.add(entry.requirement)


def _installs(files: tuple[str, ...], machine: str) -> bool:
    wheels = [found for found in map(pip_specs.wheel, files) if found]
    if not wheels or any(re.split(r"[?#]", name)[0].endswith(SDIST) for name in files):
        return True
    return any(pip_specs.fits(found.platforms, machine) for found in wheels)
