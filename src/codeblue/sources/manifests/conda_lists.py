"""Lists of exact packages: conda's explicit ones, ``conda list``, with ``--export``, and ``pip list``."""

import re

from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import match_spec, pip_specs
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, public
from codeblue.sources.manifests.version_ranges import exact

ARCHIVE = re.compile(r"(.+)-([^-]+)-([^-]+)\.(?:conda|tar\.bz2)$")
SUBDIR = re.compile(r"(.*)/(linux-\w+|noarch|osx-\w+|win-\w+)/[^/]+$")
PLATFORM = re.compile(r"#\s*platform:\s*(linux-\w+)")
LISTED = re.compile(r"([A-Za-z0-9_][\w.-]*)\s+(\S+)(?:\s+(\S+))?(?:\s+(\S+))?\s*$")
EXPORTED = re.compile(r"([A-Za-z0-9_][\w.-]*)=([^=\s]+)=([^=\s]+)$")
PYPI = "pypi"
MOST = 20_000
"""Lines of one file."""


def read_explicit(file: File, into: Gathered) -> None:
    """Read a list of addresses behind ``@EXPLICIT``."""
    for number, raw in enumerate(file.text.split("\n")[:MOST], start=1):
        line, origin = raw.strip(), file.place(number)
        if not line or line.startswith(("#", "@")):
            _platform(line, origin, into)
            continue
        channel, subdir = at(line, origin, into)
        into.index(channel, origin, "channel")
        into.for_machine(subdir if subdir.startswith("linux") else "", origin)


def at(address: str, origin: str, into: Gathered) -> tuple[str, str]:
    """Keep the package at an address; return its channel and its kind of machine, empty for a wheel."""
    plain = address.partition("#")[0].strip()
    if plain.endswith(".whl"):
        pip_specs.add(plain, origin, into, locked=True)
        return "", ""
    archive = ARCHIVE.match(plain.rpartition("/")[2])
    if not archive:
        into.left(origin, "'{line}' is no package of conda", "'{line}' 不是 conda 包", line=public(plain))
        return "", ""
    conda(archive[1], archive[2], archive[3], plain, origin, into)
    place = SUBDIR.match(plain)
    return (place[1], place[2]) if place else ("", "")


def _platform(line: str, origin: str, into: Gathered) -> None:
    found = PLATFORM.match(line)
    if found:
        into.for_machine(found[1], origin)


def read_list(file: File, into: Gathered) -> None:
    """Read the output of ``conda list``, ``conda list --export`` or ``pip list``."""
    for number, raw in enumerate(file.text.split("\n")[:MOST], start=1):
        line, origin = raw.strip(), file.place(number)
        if not line or line.startswith(("#", "--")) or re.match(r"Package\s+Version", line):
            _platform(line, origin, into)
            continue
        exported = EXPORTED.match(line)
        found = exported or LISTED.match(line)
        if not found:
            into.left(
                origin, "'{line}' is no line of such a list", "'{line}' 不是这种清单中的一行", line=line
            )
        else:
            channel = "" if exported else found[4] or ""
            installed(found[1], found[2], found[3] or "", channel, origin, into)


def installed(name: str, version: str, build: str, channel: str, origin: str, into: Gathered) -> None:
    """Keep one row of a listing of what is installed; without a build text it is pip's."""
    from_pip = channel == PYPI or build.startswith(PYPI) or not build or build.startswith("/")
    if from_pip:
        pip(name, version, None, origin, into)
    else:
        conda(name, version, build, None, origin, into)


def pip(name: str, version: str, url: str | None, origin: str, into: Gathered) -> None:
    """Keep one distribution of exactly this version."""
    into.add(
        Requirement(
            name=canonicalize_name(name),
            specifier=exact(version),
            origin=origin,
            url=public(url) if url else None,
            locked=True,
        )
    )


def conda(name: str, version: str, build: str, url: str | None, origin: str, into: Gathered) -> None:
    """Keep one conda package of exactly this version and build; ``python`` is the manifest's Python."""
    plain = name.lower()
    if plain == "python":
        into.python(version, origin)
        return
    into.add(
        Requirement(
            name=canonicalize_name(match_spec.AT_PYPI.get(plain, plain)),
            specifier=exact(version),
            origin=origin,
            url=public(url) if url else None,
            build=build or None,
            conda=True,
            locked=True,
        )
    )
