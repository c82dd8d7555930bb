"""Rows of the tables as sources of a judgement, and which of their fields can be trusted."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from codeblue.knowledge.tables import table
from codeblue.model.judgement import Source


def cited(name: str, key: object, row: Mapping[str, Any] | None) -> tuple[Source, ...]:
    """Return the source of a row, with the words of the documents behind it; none for no row."""
    if row is None:
        return ()
    documents = table(name)["_meta"]["sources"]
    return (Source(f"{name}/{key}", tuple(documents.get(one, one) for one in row.get("src", ()))),)


def rule_of(name: str, rule: str) -> tuple[Source, ...]:
    """Return the source of one of the rules that a table carries besides its rows."""
    found = next((one for one in table(name)["rules"] if one["rule"] == rule), None)
    return cited(name, rule, found)


def trusted(row: Mapping[str, Any], field: str) -> bool:
    """Return whether a field of a row (``cudnn``, ``variants.cu126.sm``) was read in a source.

    What rests on memory is a hint, never a verdict.
    """
    return row.get("confidence") != "low" and not any(
        fnmatchcase(field, low) or field.startswith(f"{low}.") for low in row.get("low", ())
    )
