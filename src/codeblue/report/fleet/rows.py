"""Rows of an answer as a table, CSV or JSON lines in one list."""

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from io import StringIO
from itertools import islice
from typing import Any

from msgspec import json

from codeblue.report.escape import line

MEASURED = 1000
"""Rows by which the columns of a table are set; wider values further down are not cut."""
WIDEST = 100

Rows = Iterator[tuple[Any, ...]]


def table(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield the lines of a table of plain text."""
    head = [tuple(map(_text, row)) for row in islice(rows, MEASURED)]
    widths = [
        min(WIDEST, max([len(name), *(len(row[place]) for row in head)]))
        for place, name in enumerate(columns)
    ]
    yield _line(columns, widths)
    yield _line(["-" * width for width in widths], widths)
    for row in head:
        yield _line(row, widths)
    for further in rows:
        yield _line(tuple(map(_text, further)), widths)


def comma(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield the lines of a CSV file."""
    page = StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(["" if one is None else _text(one) for one in row])
        if page.tell() > 1 << 16:
            yield page.getvalue()
            page.seek(0)
            page.truncate()
    yield page.getvalue()


def objects(columns: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield a JSON list with an object a row."""
    begin = "["
    for row in rows:
        yield f"{begin}\n  {json.encode(dict(zip(columns, row, strict=True)), enc_hook=str).decode()}"
        begin = ","
    yield "[]\n" if begin == "[" else "\n]\n"


FORMS: dict[str, Callable[[Sequence[str], Rows], Iterator[str]]] = {
    "table": table,
    "csv": comma,
    "json": objects,
}


def _text(fact: Any) -> str:
    if fact is None:
        return ""
    if isinstance(fact, (str, int, float, bool, date, datetime)):
        return line(str(fact))
    return line(json.encode(fact, enc_hook=str).decode())


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() + "\n"
