"""From a path into the snapshot to the fact and the file or command behind it."""

import re
from typing import Any

from msgspec import UNSET

from codeblue.model.finding import Evidence
from codeblue.model.section import NotRead, Section
from codeblue.model.snapshot import View

_PART = re.compile(r"\.?([a-z_][a-z0-9_]*)|\[([^\]]+)\]")


def quote(view: View, path: str) -> Evidence:
    """Return the evidence at ``path``, e.g. ``nodes[/dev/nvidiactl].mode``.

    Raises LookupError if the path leads nowhere, NotRead if the fact was not read.
    """
    parts = [(name, key) for name, key in _PART.findall(path)]
    section = getattr(view, parts[0][0], UNSET) if parts else UNSET
    if not isinstance(section, Section):
        raise LookupError(f"no section was read for {path!r}")
    value: Any = section
    for name, key in parts[1:]:
        value = _step(value, name, key)
    return Evidence(path, value, _source(section, parts))


def _step(value: Any, name: str, key: str) -> Any:
    if name:
        return getattr(value, name)
    if isinstance(value, Section):
        value = getattr(value, value.TABLE)
    if isinstance(value, list):
        return value[int(key)]
    return value[key]


def _source(section: Section, parts: list[tuple[str, str]]) -> str:
    field = parts[1][0] if len(parts) > 1 and parts[1][0] else section.TABLE
    return source(section, field, next((key for _, key in parts[1:] if key), ""))


def source(section: Section, field: str, key: str = "") -> str:
    """Return the file or command behind a field, or behind the row ``key`` of its table."""
    if section.NAME == "sightings" and key:
        row = getattr(section, field)[int(key)]
        return f"{row.file}:{row.last_line if field == 'streams' else row.line}"
    known = (section.sources.get(field) or section.source).replace("{key}", key)
    return known or f"the reader of {section.NAME}"


def readable(view: View, path: str) -> bool:
    """True if the fact at ``path`` was read."""
    try:
        quote(view, path)
    except (NotRead, LookupError):
        return False
    return True
