"""Which releases are still maintained and free of published holes, by the tables."""

from typing import Any

from codeblue.knowledge.drivers import branch_row
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import branch, older, parts


def safe_floor(driver: str) -> str | None:
    """Return the first release of the driver's branch with all known fixes; None if no bulletin names it."""
    row = floor_row(driver)
    return row["lowest_safe"] if row else None


def floor_row(driver: str) -> dict[str, Any] | None:
    """Return the row of the driver's branch in the security floor; None if no bulletin names it."""
    rows: list[dict[str, Any]] = table("security")["driver_floor"]
    return next((row for row in rows if row["branch"] == branch(driver)), None)


def ended(driver: str) -> str | None:
    """Return when support of the driver's branch ended (``2026-06``); None if no source says that it did."""
    row = branch_row(driver)
    if row is None or not row.get("eol_past") or "eol" in row.get("low", ()):
        return None
    end: str = row["eol"]
    return end


def toolkit_holes(version: str) -> list[dict[str, Any]]:
    """Return the rows of the holes that a release of the container toolkit has, the worst first."""
    rows = [row for row in table("container_toolkit")["rows"] if row["kind"] == "cve"]
    return sorted((row for row in rows if older(version, row["fixed_in"])), key=lambda row: -row["cvss"])


def toolkit_floor() -> str:
    """Return the first release of the container toolkit without a hole that the table knows."""
    fixes: list[str] = [row["fixed_in"] for row in table("container_toolkit")["rows"] if row["kind"] == "cve"]
    return max(fixes, key=parts)
