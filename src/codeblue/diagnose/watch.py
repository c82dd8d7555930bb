"""See which facts a check reads."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import UNSET, Struct, structs

from codeblue.model.section import Row, Section
from codeblue.model.snapshot import View

S = TypeVar("S", bound=Struct)


def watched(view: View, read: dict[str, None]) -> View:
    """Return a view with the same facts that notes the path of each one that is read in ``read``."""
    sections = {
        name: _section(section, read)
        for name in view.__struct_fields__
        if isinstance(section := getattr(view, name), Section)
    }
    return structs.replace(view, **sections)


def _section(section: Section, read: dict[str, None]) -> Section:
    facts = structs.asdict(section)
    paths = {
        field: f"{section.NAME}.{field}"
        for field, value in facts.items()
        if field not in Section.__struct_fields__ and value is not UNSET
    }
    for field, path in paths.items():
        table = section.NAME if field == section.TABLE else path
        facts[field] = _value(facts[field], table, path, read)
    return _noting(section, facts, paths, read)


def _value(value: Any, table: str, path: str, read: dict[str, None]) -> Any:
    if isinstance(value, dict):
        return {key: _value(row, f"{table}[{key}]", f"{table}[{key}]", read) for key, row in value.items()}
    if isinstance(value, list):
        return [_value(row, path, f"{path}[{n}]", read) for n, row in enumerate(value)]
    if isinstance(value, Row):
        facts = structs.asdict(value)
        paths = {field: f"{path}.{field}" for field, fact in facts.items() if fact is not UNSET}
        return _noting(value, facts, paths, read)
    return value


def _noting(original: S, facts: dict[str, Any], paths: dict[str, str], read: dict[str, None]) -> S:
    kind = type(original)

    def noting(self: Any, name: str) -> Any:
        if name in paths:
            read[paths[name]] = None
        return kind.__getattribute__(self, name)

    members = {"__getattribute__": noting, "__module__": kind.__module__, "__annotations__": {}}
    make: Any = type(kind)
    same: Callable[..., S] = make(kind.__name__, (kind,), members, frozen=True, kw_only=True)
    return same(**facts)
