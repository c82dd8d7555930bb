"""Types of the Kubernetes API: which fields an object has, and what may stand in them."""

from functools import cache
from typing import NamedTuple

from codeblue.knowledge.tables import by_key, table

SCALARS = frozenset({"string", "integer", "number", "boolean", "quantity", "int-or-string"})
Route = tuple[str, ...]
DEEPEST = 3
"""Fields that the way from an object to one inside of it may have, to be worth telling."""


class Field(NamedTuple):
    """What may stand in a field."""

    shape: str
    """``list``, ``map``, or empty for a single value."""
    type: str
    """Of the value or of each element: a scalar, ``any``, or the name of a type."""
    since: str = ""
    """First version that has it; empty if all versions of the table do."""
    until: str = ""
    """Last version that had it; empty if the newest has it."""

    @property
    def form(self) -> str:
        """``list``, ``map`` or ``scalar``, as it is seen in a file; empty for anything."""
        if self.shape or self.type == "any":
            return self.shape
        return "scalar" if self.type in SCALARS else "map"


class Type(NamedTuple):
    """A kind of object."""

    name: str
    fields: dict[str, Field]
    required: tuple[str, ...]


class Served(NamedTuple):
    """A kind that is no longer served under an ``apiVersion``."""

    gone: str
    """The first version without it."""
    use: str
    """Under which it is served instead; empty if it is gone for good."""


@cache
def named(name: str) -> Type:
    """Return a type. Raises KeyError if the table has none of that name."""
    row = by_key("kubernetes", "name")[name]
    return Type(name, {key: _field(text) for key, text in row["fields"].items()}, tuple(row["required"]))


def _field(text: str) -> Field:
    kind, _, span = text.partition(" ")
    since, _, until = span.partition("-")
    shape = {"[": "list", "{": "map"}.get(kind[0], "")
    return Field(shape, kind[1:-1] if shape else kind, since, until)


def newest() -> str:
    """Return the newest version that the table has."""
    return str(table("kubernetes")["_meta"]["newest"])


@cache
def _kinds() -> dict[tuple[str, str], str]:
    return {(row["api"], row["kind"]): row["type"] for row in table("kubernetes")["kinds"]}


def kind(api: str, name: str) -> Type | None:
    """Return the type of a kind under an ``apiVersion``; None if the table has no such kind."""
    found = _kinds().get((api, name))
    return named(found) if found else None


def homes(name: str) -> list[str]:
    """Return every ``apiVersion`` under which the table has a kind of that name."""
    return [api for api, one in _kinds() if one == name]


@cache
def _removed() -> dict[tuple[str, str], Served]:
    rows = table("kubernetes")["removed"]
    return {(row["api"], row["kind"]): Served(row["gone"], row["use"]) for row in rows}


def removed(api: str, name: str) -> Served | None:
    """Return since when a kind is not served any more under an ``apiVersion``; None if that is not known."""
    return _removed().get((api, name))


@cache
def _values() -> dict[tuple[str, str], tuple[str, ...]]:
    return {(row["type"], row["field"]): tuple(row["values"]) for row in table("kubernetes")["values"]}


def values(type_name: str, field: str) -> tuple[str, ...]:
    """Return the only values that a field may have; none if there is no such list."""
    return _values().get((type_name, field), ())


def routes(start: str, field: str) -> tuple[Route, ...]:
    """Return the shortest ways from a type down to a field of a name; ``containers[]`` is any element."""
    return tuple(_below(start).get(field, ()))


@cache
def _below(start: str) -> dict[str, list[Route]]:
    """Return the shortest ways from a type to every field of the types below it."""
    found: dict[str, list[Route]] = {}
    level: list[tuple[Route, str]] = [((), start)]
    seen = {start}
    for _ in range(DEEPEST):
        level = [one for route, name in level for one in _steps(route, name) if one[1] not in seen]
        seen |= {name for _, name in level}
        nearer = set(found)
        for route, name in level:
            for field in named(name).fields.keys() - nearer:
                found.setdefault(field, []).append((*route, field))
    return found


def _steps(route: Route, name: str) -> list[tuple[Route, str]]:
    """Return the ways one field further, with the types that they lead to."""
    return [
        ((*route, f"{key}[]" if field.shape == "list" else key), field.type)
        for key, field in named(name).fields.items()
        if field.type != "any" and field.type not in SCALARS
    ]
