"""What a package index offers of torch and its companions, and what pip would take from it."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from codeblue.knowledge.tables import table
from codeblue.knowledge.wheels import release
from codeblue.matrix import builds

VARIANT = re.compile(r"/(cu\d{2,3}|cpu|rocm[\d.]+|xpu)/?(?:$|[?#])")
"""Last folder of the address of an index of one CUDA variant."""
ALL_VARIANTS = re.compile(r"(?:download\.pytorch\.org/whl|pytorch-wheels|torch_stable\.html)/?$")


class Offer(NamedTuple):
    """One build on an index."""

    version: str
    variant: str
    """The CUDA variant of the wheel, also where its version does not name it."""


def variant_of(url: str) -> str | None:
    """Return the one variant of an index (``cu128``); None for PyPI, its mirrors and for mixed indexes."""
    found = VARIANT.search(url)
    return found[1] if found else None


def offers(url: str | None, machine: str) -> Iterator[Offer]:
    """Yield the builds of torch on an index, oldest first; None is PyPI."""
    only = variant_of(url) if url else None
    mixed = url is not None and ALL_VARIANTS.search(url) is not None
    for row in table("torch_releases")["rows"]:
        version = row["version"]
        if only is None and not mixed:
            yield Offer(version, builds.default_variant(row, machine))
            continue
        for variant in [*builds.variants(row, machine), builds.CPU]:
            if mixed or variant == only:
                yield Offer(f"{version}+{variant}", variant)


def taken(urls: Iterable[str | None], specifier: str, machine: str, python: str | None) -> Offer | None:
    """Return the build of torch that pip would take: the newest that fits, of all indexes together.

    ``urls`` are the indexes, None for PyPI; ``python`` is ``3.11``, None if it is not known.
    """
    wanted = SpecifierSet(specifier)
    fitting = [
        offer
        for url in urls
        for offer in offers(url, machine)
        if wanted.contains(offer.version, prereleases=False) and _has_python(offer.version, python, machine)
    ]
    return max(fitting, key=lambda offer: Version(offer.version), default=None)


def _has_python(version: str, python: str | None, machine: str) -> bool:
    row = release(version)
    if row is None or python is None:
        return True
    known = row["python"]
    if machine == "aarch64":
        known = row.get("python_aarch64", known)
    return ".".join(python.split(".")[:2]) in known


def companion_taken(name: str, specifier: str, torch: str) -> str | None:
    """Return the torchvision or torchaudio that pip would take beside a torch: the newest it accepts.

    Some releases ask for no certain torch, and are taken although they were built for another one.
    """
    wanted = SpecifierSet(specifier)
    fitting = [
        version
        for version in _companions(name)
        if wanted.contains(version) and _accepts(name, version, torch)
    ]
    return max(fitting, key=Version, default=None)


def newest_companion(name: str, specifier: str) -> str | None:
    """Return the newest torchvision or torchaudio that is allowed, whatever the torch; None if none is."""
    wanted = SpecifierSet(specifier)
    return max(
        (version for version in _companions(name) if wanted.contains(version)), key=Version, default=None
    )


def _companions(name: str) -> set[str]:
    return {version for row in table("torch_releases")["rows"] for version in row[name]}


def _accepts(name: str, version: str, torch: str) -> bool:
    """Return what the metadata of a companion says of a release of torch."""
    loose = next(
        (
            row["requires"]
            for row in table("torch_releases")["loose_pins"]
            if row["name"] == name and row["version"] == version
        ),
        None,
    )
    public = Version(torch).public
    if loose is not None:
        return SpecifierSet(loose).contains(public)
    return any(version in row[name] for row in table("torch_releases")["rows"] if row["version"] == public)
