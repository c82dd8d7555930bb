"""Version ranges of poetry and conda, as PEP 440 writes them."""

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from codeblue.sources.manifests.gathered import merged

PART = re.compile(r"(===|==|~=|!=|>=|<=|>|<|=|~|\^)?\s*([^\s,<>=!~^]+)")
CONDA_PART = re.compile(r"(===|==|~=|!=|>=|<=|>|<|=)?\s*([^\s,<>=!~|]+)$")
STAR = re.compile(r"(.*?)\.?\*$")
LONGEST = 300
"""Characters of one range."""


class NotPep440(Exception):
    """The range says something that PEP 440 cannot."""


def from_poetry(text: str) -> str:
    """Return the specifier for ``^2.1``, ``~2.1``, ``2.1.*``, ``>=2,<3`` or ``2.1.0``. Raises NotPep440."""
    text = text.strip()
    if "|" in text or len(text) > LONGEST:
        raise NotPep440(text)
    if text in ("", "*"):
        return ""
    if PART.sub("", text).strip(" ,"):
        raise NotPep440(text)
    return _checked([_poetry_part(operator, version) for operator, version in PART.findall(text)])


def _poetry_part(operator: str, version: str) -> str:
    if operator in ("^", "~"):
        release = _release(version)
        below = _caret(release) if operator == "^" else _tilde(release)
        return f">={version},<{below}"
    return f"{operator if operator not in ('', '=') else '=='}{version}"


def _release(version: str) -> tuple[int, ...]:
    try:
        return Version(version).release
    except InvalidVersion:
        raise NotPep440(version) from None


def _caret(release: tuple[int, ...]) -> str:
    """Return the version in which the leftmost part that is not zero has grown."""
    position = next((n for n, part in enumerate(release) if part), len(release) - 1)
    return ".".join(map(str, (*release[:position], release[position] + 1)))


def _tilde(release: tuple[int, ...]) -> str:
    kept = release[:2]
    return ".".join(map(str, (*kept[:-1], kept[-1] + 1)))


def from_conda(text: str, *, fuzzy: bool = False) -> str:
    """Return the specifier for a version of a match specification. Raises NotPep440.

    ``fuzzy``: a version without operator stands for all that begin with it, as behind one ``=``.
    """
    text = text.strip()
    if text in ("", "*"):
        return ""
    if "|" in text or "(" in text or len(text) > LONGEST:
        raise NotPep440(text)
    parts = []
    for part in text.split(","):
        found = CONDA_PART.match(part.strip())
        if not found:
            raise NotPep440(text)
        parts.append(_conda_part(found[1] or ("=" if fuzzy else ""), found[2]))
    return _checked(parts)


def _conda_part(operator: str, version: str) -> str:
    star = STAR.match(version)
    if star and not star[1]:
        return ""
    bare = star[1] if star else version
    if operator in ("", "==", "===", "="):
        only = _exactly(bare)
        begins = (star or operator == "=") and not only.startswith("===")
        return f"{only}.*" if begins else only
    return f"!={bare}.*" if operator == "!=" and star else f"{operator}{bare}"


def _exactly(version: str) -> str:
    """Return the specifier for one version; ``===`` where it is none by PEP 440, as 1.1.1w."""
    try:
        Version(version)
    except InvalidVersion:
        return f"==={version}"
    return f"=={version}"


def exact(version: str) -> str:
    """Return the specifier for the version that a lock or listing names."""
    return _exactly(version.strip()) if version.strip() else ""


def _checked(parts: list[str]) -> str:
    text = ",".join(filter(None, parts))
    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        raise NotPep440(text) from None
    return merged(text)


def as_python(specifier: str) -> str:
    """Return ``3.11`` for ``==3.11.*``, ``3.11.4`` for ``==3.11.4``, and any other range as it is."""
    found = re.fullmatch(r"==(\d+(?:\.\d+)*)(?:\.\*)?", specifier)
    return found[1] if found else specifier
