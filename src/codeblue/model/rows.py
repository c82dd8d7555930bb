"""Rows of the knowledge tables, joined with what belongs to them, as reports show them."""

from typing import Any

from msgspec import Struct


class Field(Struct, frozen=True, kw_only=True):
    """One value of a row."""

    key: str
    """Language-free name; reports know its label."""
    value: Any
    """Plain data: text, number, truth value, None, or a list or a map of these."""
    low: bool = False
    """It rests on memory or assumption: to be shown as a hint, never as a verdict."""
    low_parts: tuple[str, ...] = ()
    """Keys of a map or positions of a list that rest on memory, where not all of it does."""


class Grid(Struct, frozen=True, kw_only=True):
    """A small table that belongs to a row."""

    key: str
    rows: tuple[tuple[Field, ...], ...]
    """The first field of each names it. All have the same keys in the same order."""


class Row(Struct, frozen=True, kw_only=True):
    """One row with its related facts."""

    topic: str
    table: str
    """Name of the table file, without ending."""
    name: str
    confidence: str
    """``verified``, ``medium`` or ``low``."""
    date: str
    """Day of the table's last revision, YYYY-MM-DD."""
    sources: dict[str, str]
    """Id and words of every source that the row names."""
    fields: tuple[Field, ...]
    grids: tuple[Grid, ...] = ()
    printed: tuple[str, ...] = ()
    """Lines that software prints when it means this row, for what recognises such lines."""
    faults: tuple[str, ...] = ()
    """Faults of the catalogue whose pages go further."""

    @property
    def low(self) -> list[str]:
        """Paths of the values that rest on memory or assumption, e.g. ``variants.cu126.nccl``."""
        paths = [path for field in self.fields for path in _low(field)]
        for grid in self.grids:
            for cells in grid.rows:
                place = f"{grid.key}.{cells[0].value}"
                paths += [f"{place}.{path}" for cell in cells for path in _low(cell)]
        return paths


def _low(field: Field) -> list[str]:
    return [field.key] if field.low else [f"{field.key}.{part}" for part in field.low_parts]
