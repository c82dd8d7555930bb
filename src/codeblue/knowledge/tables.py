"""The one loader of the knowledge tables."""

from functools import cache
from pkgutil import get_data
from typing import Any

import msgspec

DATE = "2026-11-30"
"""Day on which the tables were last revised."""


@cache
def table(name: str) -> dict[str, Any]:
    """Return the whole table file ``name`` (without ending): ``_meta``, ``rows`` and side tables.

    Raises FileNotFoundError if there is no such table.
    """
    text = get_data(__package__, f"data/{name}.json")
    assert text is not None  # only a foreign loader cannot say
    content: dict[str, Any] = msgspec.json.decode(text)
    return content


@cache
def by_key(name: str, key: str) -> dict[Any, dict[str, Any]]:
    """Return the rows of a table by the value of their field ``key``."""
    return {row[key]: row for row in table(name)["rows"]}
