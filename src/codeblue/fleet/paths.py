"""The facts of a section one by one, each with the path that evidence uses."""

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from codeblue.model.snapshot import SECTIONS

NOT_FACTS = ("source", "sources", "seconds")
"""Fields of every section that say how it was read."""

DEEPEST = 50
"""Steps; what lies deeper is one text."""

Told = tuple["Place", str | None, float | None]
"""A place with its value as text, None for null, and as a number where it is one."""


class Place:
    """A place in sections of one kind: where it is, and what is below it."""

    def __init__(self, path: str, place: str, kind: Any, depth: int = 0) -> None:
        self.path = path
        """As in evidence, e.g. ``nvml[0].name``: a key of the section's table stands right behind it."""
        self.place = place
        """The path without its keys, e.g. ``nvml.gpus.name``."""
        self.depth = depth
        self._kind = kind
        self._below: dict[str | int, Place] = {}

    def below(self, name: str | int) -> "Place":
        """Return the place of a field, of a key of a table, or of an item of a list, by its number."""
        if (known := self._below.get(name)) is not None:
            return known
        inner, is_key = _below(self._kind, name)
        table = self.depth == 0 and name == getattr(SECTIONS.get(self.path), "TABLE", None)
        if is_key:
            path, place = f"{self.path}[{name}]", self.place
        else:
            skipped = table and isinstance(_plain(inner), inspect.DictType)
            path, place = self.path if skipped else f"{self.path}.{name}", f"{self.place}.{name}"
        found = self._below[name] = Place(path, place, inner, self.depth + 1)
        return found


def facts(section: dict[str, Any], where: Place) -> list[Told]:
    """Return every fact of a section: a list of plain values is one, of a list of tables every field is."""
    found: list[Told] = []
    for name, value in section.items():
        if name not in NOT_FACTS:
            _tell(value, where.below(name), found)
    return found


def _tell(value: Any, where: Place, found: list[Told]) -> None:
    if isinstance(value, str):
        found.append((where, value, None))
    elif value is None:
        found.append((where, None, None))
    elif isinstance(value, (dict, list)) and where.depth > DEEPEST:
        found.append((where, _text(value), None))
    elif isinstance(value, dict):
        for name, inner in value.items():
            _tell(inner, where.below(name), found)
    elif isinstance(value, list):
        if not (value and isinstance(value[0], dict)):
            found.append((where, _text(value), None))
        _items(value, where, found)
    else:
        found.append((where, _text(value), _number(value)))


def _items(value: list[Any], where: Place, found: list[Told]) -> None:
    """Tell what stands in the tables of a list; its plain values are told with the list itself."""
    for number, inner in enumerate(value):
        if isinstance(inner, dict):
            _tell(inner, where.below(number), found)
        elif isinstance(inner, list) and where.depth <= DEEPEST:
            _items(inner, where.below(number), found)


def _number(value: float) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except OverflowError:  # a whole number of hundreds of digits
        return None


def _text(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except RecursionError:  # no answer of a probe of ours
        return "…"


def place_of(section: str) -> Place:
    """Return the place of a section."""
    kind = msgspec.inspect.type_info(SECTIONS[section]) if section in SECTIONS else None
    return Place(section, section, kind)


def _below(kind: Any, name: str | int) -> tuple[Any, bool]:
    """Return the type below a step, and whether the step is a key rather than a field."""
    kind = _plain(kind)
    item = isinstance(name, int)
    if isinstance(kind, inspect.StructType) and not item:
        return _fields(kind.cls).get(name), False
    if isinstance(kind, inspect.DictType):
        return kind.value_type, True
    if isinstance(kind, inspect.ListType):
        return kind.item_type, True
    return None, item


@cache
def _fields(kind: type) -> dict[str | int, Any]:
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return {field.encode_name: field.type for field in shape.fields}


def _plain(kind: Any) -> Any:
    """Return the one type of a union that has something below it."""
    if not isinstance(kind, inspect.UnionType):
        return kind
    deep = (inspect.StructType, inspect.DictType, inspect.ListType)
    return next((one for one in kind.types if isinstance(one, deep)), kind)
