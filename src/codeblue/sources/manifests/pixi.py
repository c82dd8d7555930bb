"""``pixi.toml``, and the same tables below ``tool.pixi``: the default environment on Linux."""

from collections.abc import Iterator
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import match_spec
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, merged, public
from codeblue.sources.manifests.places import Places
from codeblue.sources.manifests.toml_file import rows, table, word

MOST = 5000
"""Packages of one table."""
SUBDIRS = {"x86_64": "linux-64", "aarch64": "linux-aarch64"}


def read(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read a file of its own."""
    read_tables(content, "", Places(file), into)


def read_tables(content: dict[str, Any], prefix: str, places: Places, into: Gathered) -> None:
    """Read the tables whose names begin with ``prefix``."""
    workspace = "workspace" if "workspace" in content else "project"
    for channel in rows(table(content, workspace).get("channels")):
        url = channel if isinstance(channel, str) else word(channel, "channel")
        into.index(url, places.of(prefix + workspace, "channels", url), "channel")
    for section, tables_of in _parts(content, prefix, into.machine):
        _part(section, tables_of, places, into)
    chosen = set(_features(content))
    others = [name for name in table(content, "feature") if name not in chosen]
    if others:
        into.left(
            places.of(f"{prefix}feature.{others[0]}"),
            "features that the default environment does not take are passed over: {names}",
            "默认环境没有采用的 feature 未读取：{names}",
            names=", ".join(others),
        )


def _features(content: dict[str, Any]) -> list[str]:
    default = table(content, "environments").get("default")
    names = default if isinstance(default, list) else rows(table(default).get("features"))
    return [name for name in names if isinstance(name, str)]


def _parts(content: dict[str, Any], prefix: str, machine: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables that hold on Linux of this processor, with their names."""
    parts = [(prefix, content)]
    parts += [(f"{prefix}feature.{name}.", table(content, "feature", name)) for name in _features(content)]
    for section, part in parts:
        yield section, part
        for target in ("unix", "linux", SUBDIRS.get(machine, "")):
            if table(part, "target", target):
                yield f"{section}target.{target}.", table(part, "target", target)


def _part(section: str, content: dict[str, Any], places: Places, into: Gathered) -> None:
    for name, told in list(table(content, "dependencies").items())[:MOST]:
        origin = places.key(f"{section}dependencies", name)
        version = told if isinstance(told, str) else word(told, "version")
        match_spec.add_parts(name, version, word(told, "build"), origin, into)
    for name, told in list(table(content, "pypi-dependencies").items())[:MOST]:
        _from_pypi(name, told, places.key(f"{section}pypi-dependencies", name), into)
    options = table(content, "pypi-options")
    for key, kind in (
        ("index-url", "index"),
        ("extra-index-urls", "extra-index"),
        ("find-links", "find-links"),
    ):
        told = options.get(key)
        for one in rows([told] if isinstance(told, str) else told):
            url = one if isinstance(one, str) else word(one, "url") or word(one, "path")
            into.index(url, places.of(f"{section}pypi-options", key, url), kind)
    cuda = table(content, "system-requirements").get("cuda")
    if isinstance(cuda, (str, int, float)):
        into.variable("CONDA_OVERRIDE_CUDA", str(cuda), places.key(f"{section}system-requirements", "cuda"))
    for name, value in table(content, "activation", "env").items():
        into.variable(name, str(value), places.key(f"{section}activation.env", name))


def _from_pypi(name: str, told: Any, origin: str, into: Gathered) -> None:
    specifier = (told if isinstance(told, str) else word(told, "version")).strip()
    try:
        specifier = "" if specifier == "*" else merged(str(SpecifierSet(specifier)))
    except InvalidSpecifier:
        into.left(
            origin,
            "{name}: the range '{range}' cannot be compared; taken as any version",
            "{name}：范围 '{range}' 无法比较；按任意版本处理",
            name=name,
            range=specifier,
        )
        specifier = ""
    url = word(told, "url") or word(told, "git") or word(told, "path")
    index = word(told, "index")
    into.add(
        Requirement(
            name=canonicalize_name(name),
            specifier=specifier,
            origin=origin,
            url=public(url) if url else None,
            index=public(index) if index else None,
        )
    )
