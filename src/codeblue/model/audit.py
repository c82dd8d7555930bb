"""How old and how sure the knowledge tables are."""

from msgspec import Struct


class AuditedRow(Struct, frozen=True, kw_only=True):
    """One row of a table."""

    table: str
    name: str
    confidence: str
    """``verified``, ``medium`` or ``low``."""
    low: tuple[str, ...]
    """Paths of fields that rest on memory or assumption."""
    checked: str
    """Day on which the row was last compared with its sources, YYYY-MM-DD."""
    days: int
    """Days since then."""


class AuditedTable(Struct, frozen=True, kw_only=True):
    """One table, counted."""

    table: str
    rows: int
    verified: int
    medium: int
    low: int
    hints: int
    """Number of fields that rest on memory or assumption."""
    days: int
    """Age of its oldest row in days."""


class Audit(Struct, frozen=True, kw_only=True):
    """All tables and their rows, what most needs a look first."""

    today: str
    tables: tuple[AuditedTable, ...]
    rows: tuple[AuditedRow, ...]
