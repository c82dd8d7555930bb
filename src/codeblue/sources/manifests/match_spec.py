"""conda's match specifications: ``pytorch=2.5.1=py3.11_cuda12.4*``, ``nvidia::cuda-toolkit>=12.4``."""

import re

from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import version_ranges
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.version_ranges import NotPep440, as_python

SPEC = re.compile(r"([A-Za-z0-9_][\w.-]*)\s*(.*)", re.DOTALL)
KEYED = re.compile(r"(version|build|channel|subdir)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^,\]'\"]*))")
AT_PYPI = {"pytorch": "torch"}
"""conda's name -> the name at PyPI, where it is the same program."""
LONGEST = 1000


def add(text: str, origin: str, into: Gathered) -> None:
    """Read one specification; ``python`` becomes the manifest's Python."""
    found = (
        SPEC.fullmatch(_without_channel(text.partition(" #")[0].strip())) if len(text) <= LONGEST else None
    )
    if found is None:
        into.left(origin, "'{text}' is no conda package", "'{text}' 不是 conda 包的写法", text=text)
        return
    version, build, fuzzy = _version(found[2])
    add_parts(found[1], version, build, origin, into, fuzzy=fuzzy)


def add_parts(
    name: str, version: str, build: str, origin: str, into: Gathered, *, fuzzy: bool = False
) -> None:
    """Keep a package with a conda version and build text."""
    try:
        specifier = version_ranges.from_conda(version, fuzzy=fuzzy)
    except NotPep440:
        specifier = ""
        into.left(
            origin,
            "{name}: the version '{version}' cannot be compared; taken as any",
            "{name}：版本 '{version}' 无法比较；按任意版本处理",
            name=name,
            version=version,
        )
    plain = name.lower()
    if plain == "python":
        into.python(as_python(specifier), origin)
        return
    into.add(
        Requirement(
            name=canonicalize_name(AT_PYPI.get(plain, plain)),
            specifier=specifier,
            origin=origin,
            build=build if build not in ("", "*") else None,
            conda=True,
        )
    )


def _without_channel(text: str) -> str:
    head, colons, rest = text.partition("::")
    return rest if colons and not re.search(r"[\s=<>\[]", head) else text


def _version(rest: str) -> tuple[str, str, bool]:
    """Return version, build, and whether the version stands for all that begin with it."""
    plain, bracket, keyed = rest.partition("[")
    told = (
        {found[1]: found[2] or found[3] or found[4] or "" for found in KEYED.finditer(keyed)}
        if bracket
        else {}
    )
    version, build, fuzzy = _plain(plain.strip())
    return told.get("version", version), told.get("build", build), fuzzy and "version" not in told


def _plain(text: str) -> tuple[str, str, bool]:
    if not text:
        return "", "", False
    if text.startswith("=") and not text.startswith("=="):
        # Beside a build the version is exact.
        version, _, build = text[1:].partition("=")
        return version.strip(), build.strip(), not build
    text = re.sub(r"([<>=!~])\s+", r"\1", re.sub(r"\s*([,|])\s*", r"\1", text))
    version, _, build = text.partition(" ")
    bare = version.removeprefix("==")
    if "=" in bare and not re.search(r"[<>!~]", version):
        version, _, build = bare.partition("=")
    return version, build.strip(), False
