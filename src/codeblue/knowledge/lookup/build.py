"""From rows of the tables to rows of a report: fields, hints, small tables, sources."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from codeblue.knowledge.tables import table
from codeblue.model.rows import Field, Grid, Row

Raw = dict[str, Any]

ABOUT = frozenset({"src", "confidence", "low"})
"""Keys that speak of a row, not of its subject."""


class Topic(NamedTuple):
    """How the rows of one kind are found and shown."""

    rows: Callable[[], list[Raw]]
    name: Callable[[Raw], str]
    find: Callable[[str], list[Raw]]
    """Return the rows that a text means; none if nothing is known by it."""
    build: Callable[[Raw, str], Row]
    """Return a row with its related facts; the text is what was asked for, empty in a listing."""
    near: Callable[[str], list[str]] | None = None
    """Return known names that are like a text; None for the ordinary comparison with all names."""
    spoken: bool = False
    """A name may consist of several words."""


def row(
    topic: str,
    name: str,
    raw: Raw,
    fields: Iterable[Field],
    *grids: Grid,
    file: str,
    printed: tuple[str, ...] = (),
) -> Row:
    """Return the report's row, with the words of its sources and the date of its table file."""
    about = table(file)["_meta"]
    return Row(
        topic=topic,
        table=file,
        name=name,
        confidence=raw["confidence"],
        date=about["generated"],
        sources={one: about["sources"][one] for one in raw["src"]},
        fields=tuple(fields),
        grids=tuple(grid for grid in grids if grid.rows),
        printed=printed,
    )


def fields(raw: Raw, *first: str, without: Iterable[str] = ()) -> list[Field]:
    """Return the fields of a row: the named ones first, then all others in the order of the table."""
    hidden = ABOUT | set(without)
    keys = dict.fromkeys((*(key for key in first if key in raw), *raw))
    return [field(raw, key) for key in keys if key not in hidden]


def field(raw: Raw, key: str) -> Field:
    """Return one field of a row, marked where it rests on memory."""
    low = raw.get("low", ())
    inside = tuple(path[len(key) + 1 :] for path in low if path.startswith(f"{key}."))
    return Field(key=key, value=raw.get(key), low=key in low, low_parts=inside)


def derived(key: str, value: Any, low: bool = False) -> Field:
    """Return a field that the tables together tell."""
    return Field(key=key, value=value, low=low)


def grid(key: str, columns: Iterable[str], items: Iterable[Raw]) -> Grid:
    """Return a small table of these items; what an item lacks is None, hints are in its ``low``."""
    names = tuple(columns)
    return Grid(key=key, rows=tuple(tuple(field(item, name) for name in names) for item in items))


def defects(found: Iterable[Raw]) -> Grid:
    """Return the table of confirmed defects."""
    return grid("known_bad", ("affected", "fixed_in", "symptom", "condition", "action"), found)


def by_version(rows: Iterable[Raw], text: str) -> list[Raw]:
    """Return the rows whose version is ``text`` or begins with its parts: ``2.7`` means all of 2.7."""
    wanted = text.strip().removeprefix("v")
    found = [row for row in rows if row["version"] == wanted]
    return found or [row for row in rows if row["version"].startswith(f"{wanted}.")]
