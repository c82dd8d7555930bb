"""One requirement as pip takes it: PEP 508, the address or path of a file, the name of a wheel."""

import re
from urllib.parse import unquote

from msgspec import Struct
from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Parsed
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

from codeblue.model.manifest import Left, Requirement
from codeblue.model.text import message
from codeblue.sources.manifests.files import LONG, one_line
from codeblue.sources.manifests.gathered import Gathered, merged, public

EGG = re.compile(r"[#&]egg=([A-Za-z0-9][\w.-]*)")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!:)\S|~?\.{0,2}/|\.{1,2}(?:\[|$)|\\")
NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?")
LONGEST = 4000
"""Characters of one requirement."""


class Wheel(Struct, frozen=True):
    """What the name of a wheel says."""

    name: str
    version: str
    pythons: tuple[str, ...]
    """Python tags, such as ``cp311``."""
    platforms: tuple[str, ...]
    """Platform tags, such as ``manylinux_2_28_x86_64``."""
    stable: bool
    """Built for the stable interface: fits later Pythons too."""


def wheel(address: str) -> Wheel | None:
    """Return what the wheel at a path or address is; None for anything else."""
    file = unquote(re.split(r"[?#]", address)[0]).rpartition("/")[2].rpartition("\\")[2]
    if not file.lower().endswith(".whl"):
        return None
    try:
        name, version, _, tags = parse_wheel_filename(file)
    except (InvalidWheelFilename, ValueError):
        return None
    return Wheel(
        name,
        str(version),
        tuple(sorted({tag.interpreter for tag in tags})),
        tuple(sorted({tag.platform for tag in tags})),
        any(tag.abi == "abi3" for tag in tags),
    )


def fits(platforms: tuple[str, ...], machine: str) -> bool:
    """Tell whether a file of these platform tags installs on Linux of a processor."""
    return any(tag == "any" or ("linux" in tag and tag.endswith(machine)) for tag in platforms)


def add(
    text: str,
    origin: str,
    into: Gathered,
    *,
    restricts: bool = False,
    index: str | None = None,
    locked: bool = False,
) -> None:
    """Read one requirement; one whose marker does not hold is passed over."""
    found = parsed(text.strip(), origin, into)
    if found is None:
        return
    if restricts:
        into.restrict(found.name, found.specifier)
        return
    into.add(
        Requirement(
            name=found.name,
            specifier=found.specifier,
            origin=origin,
            url=found.url,
            index=public(index) if index else None,
            locked=locked,
        )
    )


def parsed(text: str, origin: str, into: Gathered) -> Requirement | None:
    """Return the requirement; None if its marker does not hold, or with a note if it is not understood."""
    if len(text) > LONGEST:
        into.left(origin, "too long for a requirement", "对一条依赖来说太长")
        return None
    if ADDRESS.match(text) or re.match(r"\S+\.whl(?:\s*;|$)", text):
        return _at(text, origin, into)
    try:
        told = Parsed(text)
    except (InvalidRequirement, RecursionError) as error:
        why = str(error).split("\n")[0] if isinstance(error, InvalidRequirement) else "nested too deeply"
        line = message(
            "'{text}' is no requirement: {why}",
            "'{text}' 不是合法的依赖：{why}",
            text=one_line(text[:LONG]),
            why=one_line(why),
        )
        named = NAME.match(text)
        package = canonicalize_name(named[0]) if named else ""
        into.leave(Left(origin=origin, why=line, package=package))
        return None
    if told.marker and not into.holds(str(told.marker), origin):
        return None
    specifier = merged(str(told.specifier))
    if told.url:
        file = wheel(told.url)
        specifier = f"=={file.version}" if file else specifier
    return Requirement(
        name=canonicalize_name(told.name),
        specifier=specifier,
        origin=origin,
        url=public(told.url) if told.url else None,
    )


def _at(text: str, origin: str, into: Gathered) -> Requirement | None:
    """Return what the file at an address is, as far as the address tells."""
    address, _, marker = (part.strip() for part in re.sub(r"\s;", ";", text).partition(";"))
    if marker and not into.holds(marker, origin):
        return None
    address = re.sub(r"\s.*", "", address)
    name, specifier = _named(address)
    if not name:
        into.left(
            origin,
            "'{address}' does not tell what it installs; give that project's own files too",
            "'{address}' 没有说明安装的是什么；请同时给出该项目自己的文件",
            address=public(address),
        )
        return None
    return Requirement(name=canonicalize_name(name), specifier=specifier, origin=origin, url=public(address))


def _named(address: str) -> tuple[str, str]:
    """Return name and specifier of the file at an address; empty if the address does not tell."""
    file = wheel(address)
    if file:
        return file.name, f"=={file.version}"
    egg = EGG.search(address)
    if egg:
        return egg[1], ""
    try:
        name, version = parse_sdist_filename(unquote(re.split(r"[?#]", address)[0]).rpartition("/")[2])
    except (InvalidSdistFilename, ValueError):
        return "", ""
    return name, f"=={version}"
