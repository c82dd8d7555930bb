"""How old and how sure the rows of the tables are."""

from datetime import date
from importlib import resources
from typing import Any

from codeblue.knowledge.tables import table
from codeblue.model.audit import Audit, AuditedRow, AuditedTable

CONFIDENCE = ("low", "medium", "verified")
"""The least sure first."""
NAMES = ("version", "branch", "name", "code", "id")
"""Fields that may name a row, in the order of trial."""


def audit(today: date) -> Audit:
    """Return all tables with counts, and all rows: the oldest first, then the least sure.

    A row is as old as its ``checked`` day, or else as its table's ``generated`` day.
    """
    names = sorted(
        entry.name.removesuffix(".json")
        for entry in resources.files("codeblue.knowledge").joinpath("data").iterdir()
        if entry.name.endswith(".json")
    )
    rows = [row for name in names for row in _rows(name, today)]
    rows.sort(key=lambda row: (-row.days, CONFIDENCE.index(row.confidence), -len(row.low), row.table))
    return Audit(
        today=today.isoformat(), tables=tuple(_counts(name, rows) for name in names), rows=tuple(rows)
    )


def _rows(name: str, today: date) -> list[AuditedRow]:
    content = table(name)
    return [
        AuditedRow(
            table=name,
            name=_name(raw),
            confidence=raw["confidence"],
            low=tuple(raw.get("low", ())),
            checked=(day := raw.get("checked", content["_meta"]["generated"])),
            days=(today - date.fromisoformat(day)).days,
        )
        for raw in content["rows"]
    ]


def _name(raw: dict[str, Any]) -> str:
    if "component" in raw:
        return " ".join(
            str(raw[key]) for key in ("component", "branch", "affected", "fixed_in") if raw.get(key)
        )
    return str(next(raw[key] for key in NAMES if key in raw))


def _counts(name: str, rows: list[AuditedRow]) -> AuditedTable:
    mine = [row for row in rows if row.table == name]
    return AuditedTable(
        table=name,
        rows=len(mine),
        verified=sum(row.confidence == "verified" for row in mine),
        medium=sum(row.confidence == "medium" for row in mine),
        low=sum(row.confidence == "low" for row in mine),
        hints=sum(len(row.low) for row in mine),
        days=max(row.days for row in mine),
    )
