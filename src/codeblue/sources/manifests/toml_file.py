"""TOML, and careful ways into what any parsed document holds."""

import re
import sys
from collections.abc import Iterator
from typing import Any

from codeblue.sources.manifests.files import File, refuse

MOST = 20_000
"""Entries of one table or list."""


def loaded(file: File) -> dict[str, Any]:
    """Return what the file holds. Raises Unusable with line and column."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content: dict[str, Any] = tomllib.loads(file.text)
    except (ValueError, RecursionError) as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        why = re.sub(r" \(at .*\)$", "", str(error)) or "nested too deeply"
        refuse(
            f"{file.name}:{place[1]}:{place[2]}" if place else f"{file.name}:{_end(file.text)}",
            "not valid TOML: {why}; correct this line or write the file anew",
            "不是合法的 TOML：{why}；请改正这一行，或重新生成该文件",
            why=why,
        )
    return content


def _end(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    return f"{len(lines)}:{len(lines[-1]) + 1}"


def table(value: Any, *keys: str) -> dict[str, Any]:
    """Return the table below the keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows(value: Any) -> list[Any]:
    """Return a list as it is, bounded; nothing of any other value."""
    return value[:MOST] if isinstance(value, list) else []


def tables(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the tables of a list of tables."""
    return (row for row in rows(value) if isinstance(row, dict))


def addresses(sources: Any) -> dict[str, str]:
    """Return the addresses of a list of named sources."""
    return {word(one, "name"): word(one, "url") for one in tables(sources) if word(one, "name")}


def word(value: Any, *keys: str) -> str:
    """Return the text below the keys; empty where there is none."""
    value = table(value, *keys[:-1]).get(keys[-1]) if keys else value
    return value if isinstance(value, str) else ""
