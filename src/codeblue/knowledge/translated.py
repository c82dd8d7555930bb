"""Texts of the tables in Chinese. The tables themselves are English; here is what each text means."""

from functools import cache
from pkgutil import get_data
from typing import Any

import msgspec
from msgspec.structs import replace

from codeblue.model.rows import Field, Grid, Row

TABLES = (
    *(
        "torch_releases",
        "drivers",
        "cuda_toolkits",
        "cudnn",
        "nccl",
        "tensorrt",
        "gpus",
        "known_bad",
        "security",
    ),
    *("xid", "cuda_errors", "nvml_errors", "nccl_env", "container_toolkit"),
)
"""Tables with a file in ``data/zh``: their texts, English to Chinese."""


def chinese(text: str) -> str:
    """Return a text of the tables in Chinese; names, numbers and whatever has no Chinese stay."""
    return _texts().get(text, text)


def texts(table: str) -> dict[str, str]:
    """Return the texts of one of the tables. Raises FileNotFoundError if it has none in Chinese."""
    content = get_data(__package__, f"data/zh/{table}.json")
    assert content is not None  # only a foreign loader cannot say
    return msgspec.json.decode(content, type=dict[str, str])


@cache
def _texts() -> dict[str, str]:
    return {english: told for name in TABLES for english, told in texts(name).items()}


def row_in_chinese(row: Row) -> Row:
    """Return a row for a reader of Chinese; its keys, names and sources stay."""
    return replace(
        row,
        fields=tuple(map(_field, row.fields)),
        grids=tuple(Grid(key=grid.key, rows=tuple(map(_cells, grid.rows))) for grid in row.grids),
    )


def _cells(cells: tuple[Field, ...]) -> tuple[Field, ...]:
    return tuple(map(_field, cells))


def _field(field: Field) -> Field:
    return replace(field, value=_value(field.value))


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return chinese(value)
    if isinstance(value, list):
        return [_value(one) for one in value]
    if isinstance(value, dict):
        return {key: _value(one) for key, one in value.items()}
    return value
