"""conda's files: environments, ``.condarc``, the index of a channel, and records of a cache."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from typing import Any

from codeblue.model.config.conda import Archive, CachedPackage, CondaChannel, CondaEnvironment, Condarc
from codeblue.model.config.place import Place, Source
from codeblue.model.text import message
from codeblue.sources.config import json_tree, package_files, yaml_tree
from codeblue.sources.config.broken import Broken

HASHED = 32 << 20
"""Bytes of the largest file whose digest is computed."""
HASHED_TOGETHER = 256 << 20
"""Bytes for which digests are computed in one index."""
MOST = 200_000
"""Packages of one index."""


def environment(source: Source) -> Iterator[object]:
    """Yield ``environment.yml``, and what it asks for. Raises Broken and Template."""
    root = next(yaml_tree.documents(source), None)
    if root is not None and root.kind == "map":
        channels = tuple(one for one in root.each("channels") if one.kind == "string")
        packages = tuple(one for one in root.each("dependencies") if one.kind not in ("map", "list"))
        yield CondaEnvironment(root=root, channels=channels, packages=packages)
        yield from package_files.read_conda(source)


def condarc(source: Source) -> Iterator[object]:
    """Yield ``.condarc``. Raises Broken."""
    root = next(yaml_tree.documents(source), None)
    if root is not None and root.kind == "map":
        yield Condarc(root=root)


def channel(source: Source) -> Iterator[object]:
    """Yield ``repodata.json`` with what lies beside it. Raises Broken."""
    content = _json(source)
    folder = os.path.dirname(source.name)
    promised = {
        name: entry
        for key in ("packages", "packages.conda")
        for name, entry in _table(content.get(key)).items()
        if re.fullmatch(r"[\w.+!-]+\.(?:conda|tar\.bz2)", name) and isinstance(entry, dict)
    }
    if len(promised) > MOST:
        return
    left = HASHED_TOGETHER
    found: list[Archive] = []
    for name, entry in promised.items():
        one = _archive(source, os.path.join(folder, name), name, entry, left)
        left -= one.found_size or 0 if one.found_digest else 0
        found.append(one)
    there = sum(one.found_size is not None for one in found)
    yield CondaChannel(archives=tuple(found), partial=there * 2 < len(found))


def record(source: Source) -> Iterator[object]:
    """Yield ``info/repodata_record.json`` of an unpacked package with its archive. Raises Broken."""
    content = _json(source)
    name = str(content.get("fn", ""))
    if re.fullmatch(r"[\w.+!-]+\.(?:conda|tar\.bz2)", name):
        cache = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(source.name))))
        yield CachedPackage(
            archive=_archive(source, os.path.join(cache, name), "fn", content, HASHED_TOGETHER)
        )


def _json(source: Source) -> dict[str, Any]:
    try:
        content = json.loads(source.text)
    except (json.JSONDecodeError, RecursionError):
        json_tree.root(source)
        raise Broken(source.place(0, 1), message("not JSON", "不是合法的 JSON")) from None
    return _table(content)


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _archive(source: Source, path: str, key: str, entry: dict[str, Any], left: int) -> Archive:
    size = entry.get("size")
    promised = size if isinstance(size, int) else None
    digest = next((f"{kind}:{entry[kind]}" for kind in ("sha256", "md5") if entry.get(kind)), "")
    there = os.path.getsize(path) if os.path.isfile(path) else None
    wanted = there is not None and digest and promised in (None, there) and there <= min(HASHED, left)
    return Archive(
        name=os.path.basename(path),
        place=_key(source, key),
        size=promised,
        found_size=there,
        digest=digest,
        found_digest=_digest(path, digest.partition(":")[0]) if wanted else "",
    )


def _key(source: Source, key: str) -> Place:
    at = max(0, source.text.find(json.dumps(key)))
    return source.place(at, at + len(key) + 2)


def _digest(path: str, kind: str) -> str:
    """Return the digest of a file; empty if it cannot be read."""
    total = hashlib.sha256() if kind == "sha256" else hashlib.md5(usedforsecurity=False)
    try:
        with open(path, "rb") as stream:
            while piece := stream.read(1 << 20):
                total.update(piece)
    except OSError:
        return ""
    return f"{kind}:{total.hexdigest()}"
