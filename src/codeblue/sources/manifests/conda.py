"""conda's own files: ``environment.yml``, explicit lists, ``conda list`` and conda-lock."""

import re

from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import match_spec, pip_specs, requirements
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, public
from codeblue.sources.manifests.version_ranges import exact
from codeblue.sources.manifests.yaml_file import Node

ARCHIVE = re.compile(r"(.+)-([^-]+)-([^-]+)\.(?:conda|tar\.bz2)$")
SUBDIR = re.compile(r"(.*)/(linux-\w+|noarch|osx-\w+|win-\w+)/[^/]+$")
PLATFORM = re.compile(r"#\s*platform:\s*(linux-\w+)")
LISTED = re.compile(r"([A-Za-z0-9_][\w.-]*)\s+(\S+)(?:\s+(\S+))?(?:\s+(\S+))?\s*$")
EXPORTED = re.compile(r"([A-Za-z0-9_][\w.-]*)=([^=\s]+)=([^=\s]+)$")
PYPI = "pypi"
MOST = 20_000
"""Lines or packages of one file."""


def read_environment(file: File, root: Node, into: Gathered) -> None:
    """Read ``environment.yml``."""
    for channel in root.get("channels").rows:
        into.index(channel.text, file.place(channel.line), "channel")
    for row in root.get("dependencies").rows[:MOST]:
        if row.text:
            match_spec.add(row.text, file.place(row.line), into)
        for key, value in row.items:
            if key != "pip":
                into.left(file.place(row.line), "'{key}' is not known here", "此处不认识 '{key}'", key=key)
            for line in value.rows if key == "pip" else []:
                requirements.read_line(line.text.strip(), file.place(line.line), file.folder, into)
    for name, value in root.get("variables").items:
        into.variable(name, value.text, file.place(value.line))


def read_lock(file: File, root: Node, into: Gathered) -> None:
    """Read conda-lock's list, of which one part is for Linux on the machine's processor."""
    for channel in root.get("metadata", "channels").rows:
        into.index(channel.get("url").text or channel.text, file.place(channel.line), "channel")
    platform = "linux-aarch64" if into.machine == "aarch64" else "linux-64"
    found = 0
    for row in root.get("package").rows[:MOST]:
        if row.get("platform").text == platform and row.get("optional").text != "true":
            found += 1
            _locked(row, file.place(row.line), into)
    if not found:
        into.left(
            file.place(root.get("package").line),
            "nothing in it is for {platform}",
            "其中没有适用于 {platform} 的内容",
            platform=platform,
        )


def _locked(row: Node, origin: str, into: Gathered) -> None:
    name, url = row.get("name").text, row.get("url").text
    if row.get("manager").text == "pip":
        _pip(name, row.get("version").text, url or None, origin, into)
        return
    archive = ARCHIVE.match(url.rpartition("/")[2].partition("#")[0])
    _conda(name, row.get("version").text, archive[3] if archive else "", url or None, origin, into)


def _pip(name: str, version: str, url: str | None, origin: str, into: Gathered) -> None:
    into.add(
        Requirement(
            name=canonicalize_name(name),
            specifier=exact(version),
            origin=origin,
            url=public(url) if url else None,
            locked=True,
        )
    )


def _conda(name: str, version: str, build: str, url: str | None, origin: str, into: Gathered) -> None:
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


def read_explicit(file: File, into: Gathered) -> None:
    """Read a list of addresses behind ``@EXPLICIT``."""
    for number, raw in enumerate(file.text.split("\n")[:MOST], start=1):
        line, origin = raw.strip(), file.place(number)
        if not line or line.startswith(("#", "@")):
            _platform(line, origin, into)
            continue
        address = line.split("#")[0].strip()
        archive = ARCHIVE.match(address.rpartition("/")[2])
        place = SUBDIR.match(address)
        if not archive:
            if address.endswith(".whl"):
                pip_specs.add(address, origin, into, locked=True)
            else:
                into.left(origin, "'{line}' is no package of conda", "'{line}' 不是 conda 包", line=line)
            continue
        if place:
            into.index(place[1], origin, "channel")
            into.for_machine(place[2] if place[2].startswith("linux") else "", origin)
        _conda(archive[1], archive[2], archive[3], address, origin, into)


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
        _pip(name, version, None, origin, into)
    else:
        _conda(name, version, build, None, origin, into)
