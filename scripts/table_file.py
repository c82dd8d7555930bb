"""A knowledge table as a file: one row a line, so that a diff shows what changed."""

import json
import re
from pathlib import Path
from typing import Any

Raw = dict[str, Any]
_ROWS = re.compile(r'(?<="rows": \[\n).*?(?=\n\])', re.DOTALL)


class TableFile:
    """One table; ``rows`` may be changed in place. Everything but the rows stays byte for byte."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.old = path.read_text(encoding="utf-8")
        self.rows: list[Raw] = json.loads(self.old)["rows"]

    def by_version(self) -> dict[str, Raw]:
        """Return the rows by their version."""
        return {str(row["version"]): row for row in self.rows}

    def insert(self, row: Raw) -> None:
        """Put a row behind the last one that is not newer."""
        place = sum(parts(one["version"]) <= parts(row["version"]) for one in self.rows)
        self.rows.insert(place, row)

    def text(self) -> str:
        """Return the file with its rows as they are now."""
        rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in self.rows)
        return _ROWS.sub(lambda _: rows, self.old, count=1)


def parts(version: str) -> tuple[int, ...]:
    """Return the numbers of a version."""
    return tuple(int(number) for number in re.findall(r"\d+", version))
