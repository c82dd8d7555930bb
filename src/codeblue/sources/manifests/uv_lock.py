"""``uv.lock``: what the project's own packages reach on Linux, fork by fork.

A lock holds several versions of one package for different systems; the conditions stand where it is
asked for.
"""

from typing import Any, NamedTuple

from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, public
from codeblue.sources.manifests.places import Places
from codeblue.sources.manifests.toml_file import rows, table, tables, word
from codeblue.sources.manifests.version_ranges import exact

OWN = ("editable", "virtual", "directory")
"""Kinds of source that are the project itself, or its neighbours."""
FORKS = 100
"""Versions of one package."""
NAMED = 8
"""Packages that are named in one sentence."""


class Locked(NamedTuple):
    """One entry of the lock."""

    name: str
    version: str
    told: dict[str, Any]
    origin: str


def read(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read what is reached; what only extras and groups ask for is named as left."""
    places = Places(file)
    into.python(word(content, "requires-python"), places.key("", "requires-python"))
    origins = places.entries("package")
    entries = [
        Locked(canonicalize_name(word(told, "name")), word(told, "version"), told, origin)
        for told, origin in zip(tables(content.get("package")), origins, strict=False)
    ]
    has_own = any(map(_is_own, entries))
    reached = _reached(entries, into) if has_own else [one for one in entries if _in_fork(one, into)]
    for entry in reached:
        if not _is_own(entry):
            into.add(_requirement(entry))
    _say_others(file, entries, reached, into)


def _is_own(entry: Locked) -> bool:
    return any(kind in table(entry.told, "source") for kind in OWN)


def _reached(entries: list[Locked], into: Gathered) -> list[Locked]:
    """Return the entries that hang on the project, each once, in the order of the lock."""
    by_name: dict[str, list[int]] = {}
    for position, entry in enumerate(entries):
        by_name.setdefault(entry.name, []).append(position)
    waiting = [position for position, entry in enumerate(entries) if _is_own(entry)]
    extras: dict[int, set[str]] = {position: set() for position in waiting}
    while waiting:
        position = waiting.pop()
        for asked in _asked(entries[position], extras[position]):
            if not into.holds(word(asked, "marker"), entries[position].origin):
                continue
            wanted = {extra for extra in rows(asked.get("extra")) if isinstance(extra, str)}
            for found in by_name.get(canonicalize_name(word(asked, "name")), [])[:FORKS]:
                if _meant(asked, entries[found], into) and (
                    found not in extras or not wanted <= extras[found]
                ):
                    extras.setdefault(found, set()).update(wanted)
                    waiting.append(found)
    return [entries[position] for position in sorted(extras)]


def _asked(entry: Locked, extras: set[str]) -> list[dict[str, Any]]:
    asked = list(tables(entry.told.get("dependencies")))
    for extra in sorted(extras):
        asked += tables(table(entry.told, "optional-dependencies").get(extra))
    return asked


def _meant(asked: dict[str, Any], entry: Locked, into: Gathered) -> bool:
    """Tell whether an entry is the one asked for: version and source stand there only in forks."""
    version, source = word(asked, "version"), table(asked, "source")
    if (version and version != entry.version) or (source and source != table(entry.told, "source")):
        return False
    return _in_fork(entry, into)


def _in_fork(entry: Locked, into: Gathered) -> bool:
    markers = [one for one in rows(entry.told.get("resolution-markers")) if isinstance(one, str)]
    return not markers or any(into.holds(marker, entry.origin) for marker in markers)


def _requirement(entry: Locked) -> Requirement:
    source = table(entry.told, "source")
    registry = word(source, "registry")
    url = word(source, "url") or word(source, "git") or word(source, "path")
    return Requirement(
        name=entry.name,
        specifier=exact(entry.version),
        origin=entry.origin,
        url=public(url) if url else None,
        index=public(registry) if registry else None,
        locked=True,
    )


def _say_others(file: File, entries: list[Locked], reached: list[Locked], into: Gathered) -> None:
    """Name what only extras, groups and other systems take, if its name is not reached at all."""
    names = {entry.name for entry in reached}
    others = [f"{entry.name} {entry.version}" for entry in entries if entry.name not in names]
    if others:
        into.left(
            file.place(1),
            "only extras, groups or other systems take {count} packages, not read: {names}",
            "有 {count} 个包只由 extra、依赖组或其他系统使用，未读取：{names}",
            count=len(others),
            names=", ".join(others[:NAMED]) + (", …" if len(others) > NAMED else ""),
        )
