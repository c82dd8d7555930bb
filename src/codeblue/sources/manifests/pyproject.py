"""``pyproject.toml``: what the project itself needs, for pip, uv, poetry, pdm and pixi.

Extras and groups of dependencies are not installed unless asked for, and are passed over.
"""

from typing import Any

from packaging.utils import canonicalize_name

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import pip_specs, pixi, version_ranges
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, public
from codeblue.sources.manifests.places import Places
from codeblue.sources.manifests.toml_file import addresses, rows, table, tables, word
from codeblue.sources.manifests.version_ranges import NotPep440

MOST = 5000
"""Requirements of one project."""
POETRY_KINDS = {"default": "index", "primary": "index", "explicit": ""}
"""Priority of a source -> kind of index; the others are asked besides PyPI."""


def read(file: File, content: dict[str, Any], into: Gathered) -> None:
    """Read every table that asks for distributions or names a place to take them from."""
    places = Places(file)
    asked = word(content, "project", "requires-python")
    if asked:
        into.python(asked, places.key("project", "requires-python"))
    _uv_indexes(table(content, "tool", "uv"), places, into)
    _project(content, places, into)
    _poetry(table(content, "tool", "poetry"), places, into)
    _pdm(table(content, "tool", "pdm"), places, into)
    pixi.read_tables(table(content, "tool", "pixi"), "tool.pixi.", places, into)


def _project(content: dict[str, Any], places: Places, into: Gathered) -> None:
    project = table(content, "project")
    if "dependencies" in rows(project.get("dynamic")):
        into.left(
            places.key("project", "dynamic"),
            "the dependencies are computed when the project is built; give the file they come from",
            "依赖在构建时才计算出来；请给出其来源文件",
        )
    sources: dict[str, Any] = {
        canonicalize_name(name): told for name, told in table(content, "tool", "uv", "sources").items()
    }
    indexes = addresses(table(content, "tool", "uv").get("index"))
    for text in rows(project.get("dependencies"))[:MOST]:
        if not isinstance(text, str):
            continue
        origin = places.of("project", "dependencies", text)
        found = pip_specs.parsed(text.strip(), origin, into)
        if found:
            into.add(_from_source(found, sources.get(found.name), indexes, places, into))
    for text in rows(table(content, "tool", "uv").get("constraint-dependencies"))[:MOST]:
        if isinstance(text, str):
            origin = places.of("tool.uv", "constraint-dependencies", text)
            pip_specs.add(text, origin, into, restricts=True)


def _from_source(
    found: Requirement, told: Any, indexes: dict[str, str], places: Places, into: Gathered
) -> Requirement:
    """Return the requirement with the index or address that ``tool.uv.sources`` gives it."""
    if told is None:
        return found
    origin = places.key("tool.uv.sources", found.name)
    for source in [told] if isinstance(told, dict) else tables(told):
        if "extra" in source or "group" in source or not into.holds(word(source, "marker"), origin):
            continue
        index = indexes.get(word(source, "index"))
        url = word(source, "url") or word(source, "git") or word(source, "path")
        if "index" in source and index is None:
            into.left(
                origin,
                "no index is named '{name}' here; see tool.uv.index",
                "这里没有名为 '{name}' 的索引；请查看 tool.uv.index",
                name=word(source, "index"),
            )
        return Requirement(
            name=found.name,
            specifier=found.specifier,
            origin=found.origin,
            url=public(url) if url else found.url,
            index=public(index) if index else None,
        )
    return found


def _uv_indexes(uv: dict[str, Any], places: Places, into: Gathered) -> None:
    for one in tables(uv.get("index")):
        url = word(one, "url")
        if one.get("explicit") is not True:
            kind = "index" if one.get("default") is True else "extra-index"
            into.index(url, places.of("tool.uv.index", url), kind)
    for key, kind in (
        ("index-url", "index"),
        ("extra-index-url", "extra-index"),
        ("find-links", "find-links"),
    ):
        for part, section in ((uv, "tool.uv"), (table(uv, "pip"), "tool.uv.pip")):
            told = part.get(key)
            for url in rows([told] if isinstance(told, str) else told):
                into.index(word(url), places.of(section, key, word(url)), kind)
    backend = word(uv, "pip", "torch-backend")
    if backend:
        into.variable("UV_TORCH_BACKEND", backend, places.of("tool.uv.pip", "torch-backend"))


def _poetry(poetry: dict[str, Any], places: Places, into: Gathered) -> None:
    urls = addresses(poetry.get("source"))
    for one in tables(poetry.get("source")):
        kind = POETRY_KINDS.get(word(one, "priority") or "primary", "extra-index")
        if kind and word(one, "url"):
            into.index(word(one, "url"), places.of("tool.poetry.source", word(one, "url")), kind)
    for name, told in list(table(poetry, "dependencies").items())[:MOST]:
        origin = places.key("tool.poetry.dependencies", name)
        choices = told if isinstance(told, list) else [told]
        for choice in choices:
            _poetry_one(name, {"version": choice} if isinstance(choice, str) else choice, urls, origin, into)


def _poetry_one(name: str, told: Any, urls: dict[str, str], origin: str, into: Gathered) -> None:
    if not isinstance(told, dict) or told.get("optional") is True or not _poetry_applies(told, origin, into):
        return
    try:
        specifier = version_ranges.from_poetry(word(told, "version"))
    except NotPep440:
        specifier = ""
        into.left(
            origin,
            "{name}: the range '{range}' cannot be compared; taken as any version",
            "{name}：范围 '{range}' 无法比较；按任意版本处理",
            name=name,
            range=word(told, "version"),
        )
    if name.lower() == "python":
        into.python(specifier, origin)
        return
    url = word(told, "url") or word(told, "git") or word(told, "path")
    index = urls.get(word(told, "source"))
    into.add(
        Requirement(
            name=canonicalize_name(name),
            specifier=specifier,
            origin=origin,
            url=public(url) if url else None,
            index=public(index) if index else None,
        )
    )


def _poetry_applies(told: dict[str, Any], origin: str, into: Gathered) -> bool:
    platform = word(told, "platform")
    return (not platform or platform == "linux") and into.holds(word(told, "markers"), origin)


def _pdm(pdm: dict[str, Any], places: Places, into: Gathered) -> None:
    for one in tables(pdm.get("source")):
        url = word(one, "url")
        links = word(one, "type") == "find_links"
        kind = "find-links" if links else "index" if word(one, "name") == "pypi" else "extra-index"
        into.index(url, places.of("tool.pdm.source", url), kind)
