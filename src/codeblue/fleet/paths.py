"""Where a fact stands: from DuckDB's way of naming a place in JSON to the paths that evidence uses."""

import re
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from codeblue.model.snapshot import SECTIONS

_STEP = re.compile(r'\."((?:[^"\\]|\\.)*)"|\.([^."\[]+)|\[(\d+)\]')

Step = tuple[str, bool]
"""A name, and whether it is the place of an item in a list."""


def named(section: str, fullkey: str) -> tuple[str, str]:
    """Return path and place of a fact, e.g. ``nvml.gpus[0].name`` and ``nvml.gpus.name``.

    ``fullkey`` is what DuckDB's ``json_tree`` says, e.g. ``$.gpus."0".name``. The path is the one of
    evidence: ``[key]`` stands right behind the section where its table is meant. The place lacks the keys.
    """
    kind: Any = _type(section)
    path, place = section, section
    for number, (name, item) in enumerate(_steps(fullkey)):
        inner, is_key = _below(kind, name, item)
        if not is_key:
            place += f".{name}"
            table = number == 0 and name == getattr(SECTIONS.get(section), "TABLE", None)
            path += "" if table and isinstance(_plain(inner), inspect.DictType) else f".{name}"
        else:
            path += f"[{name}]"
        kind = inner
    return path, place


def _steps(fullkey: str) -> list[Step]:
    found = _STEP.findall(fullkey.removeprefix("$"))
    return [
        (number, True) if number else (re.sub(r"\\(.)", r"\1", quoted) or plain, False)
        for quoted, plain, number in found
    ]


def _below(kind: Any, name: str, item: bool) -> tuple[Any, bool]:
    """Return the type below a step, and whether the step is a key rather than a field."""
    kind = _plain(kind)
    if isinstance(kind, inspect.StructType) and not item:
        return next((field.type for field in kind.fields if field.encode_name == name), None), False
    if isinstance(kind, inspect.DictType):
        return kind.value_type, True
    if isinstance(kind, inspect.ListType):
        return kind.item_type, True
    return None, item


def _plain(kind: Any) -> Any:
    """Return the one type of a union that has something below it."""
    if not isinstance(kind, inspect.UnionType):
        return kind
    deep = (inspect.StructType, inspect.DictType, inspect.ListType)
    return next((one for one in kind.types if isinstance(one, deep)), kind)


@cache
def _type(section: str) -> Any:
    return msgspec.inspect.type_info(SECTIONS[section]) if section in SECTIONS else None
