"""Environment markers, judged for Linux on one processor and for a Python that may be unknown."""

from functools import lru_cache

from packaging.markers import Marker
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

MINORS = range(6, 16)
"""Python 3 versions that an unknown Python may be."""
PATCHES = ("0", "99")
"""The least and the largest patch level that a marker could ask for."""
MACHINES = {"amd64": "x86_64", "x86-64": "x86_64", "arm64": "aarch64", "64": "x86_64"}
"""Other names -> ours."""


def machine_of(name: str) -> str:
    """Return the kernel's name of a processor: ``arm64``, ``linux/arm64``, ``linux-aarch64`` are aarch64."""
    word = name.strip().lower().removeprefix("linux").lstrip("/-_").split("/")[0]
    return MACHINES.get(word, word)


def pythons(told: str | None) -> tuple[str, ...]:
    """Return the full versions that ``3.11``, ``3.11.4``, ``>=3.10,<3.13`` or nothing may mean."""
    known = tuple(f"3.{minor}.{patch}" for minor in MINORS for patch in PATCHES)
    if not told:
        return known
    try:
        release = Version(told).release
    except InvalidVersion:
        try:
            wanted = SpecifierSet(told)
        except InvalidSpecifier:
            return known
        return tuple(version for version in known if version in wanted) or known
    if len(release) == 2:
        return tuple(f"{told}.{patch}" for patch in PATCHES)
    return (told,) if len(release) > 2 else known


@lru_cache(maxsize=4096)
def applies(marker: str, machine: str, versions: tuple[str, ...]) -> bool:
    """Tell whether a marker holds for any of the Pythons, without extras and groups.

    Raises ValueError or RecursionError for one that cannot be judged.
    """
    parsed = Marker(marker)
    return any(parsed.evaluate(_environment(machine, version)) for version in versions)


@lru_cache(maxsize=256)
def _environment(machine: str, version: str) -> dict[str, str | frozenset[str]]:
    return {
        "implementation_name": "cpython",
        "implementation_version": version,
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": version,
        "python_version": ".".join(version.split(".")[:2]),
        "sys_platform": "linux",
        "extra": "",
        "extras": frozenset(),
        "dependency_groups": frozenset(),
    }
