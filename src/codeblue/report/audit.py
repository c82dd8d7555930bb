"""How old and how sure the data are: for a terminal, a spreadsheet, a program."""

import csv
import io
from collections.abc import Sequence

from msgspec import json, to_builtins
from rich.console import Console
from rich.table import Table
from rich.text import Text as Rich

from codeblue import __version__
from codeblue.model.audit import Audit, AuditedRow
from codeblue.model.text import Text
from codeblue.report import row_words as words
from codeblue.report.escape import line

SCHEMA = "codeblue/matrix-audit/1"
WIDE = 72
TABLE = Text("table", "数据表")
ROWS = Text("rows", "条数")
VERIFIED, MEDIUM, LOW = (words.VALUE["confidence"][key] for key in ("verified", "medium", "low"))
HINTS = Text("hints", "存疑值")
DAYS = Text("days", "天数")
LEGEND = Text(
    "days: since the rows were last compared with their sources; hints: values on memory or assumption",
    "天数：距上次与来源核对；存疑值：来自记忆或推断的值",
)
FIRST = Text("rows that most need a look", "最需要核对的数据")
LINE = Text(
    "{table} {name}: {confidence}, checked {checked}", "{table} {name}：可信度{confidence}，核对于 {checked}"
)
ON_MEMORY = Text("; on memory: {fields}", "；凭记忆：{fields}")
REST = Text("{n} more (--most 0 lists all)", "另有 {n} 条（--most 0 列出全部）")
NONE = Text("no such rows", "没有这样的数据")


def document(audit: Audit) -> str:
    """Return the JSON document, the same in every language."""
    content = {"schema": SCHEMA, "codeblue": __version__} | to_builtins(audit)
    return json.format(json.encode(content), indent=2).decode() + "\n"


def sheet(rows: Sequence[AuditedRow]) -> str:
    """Return the rows as CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("table", "name", "confidence", "checked", "days", "low"))
    for row in rows:
        name = line(row.name)
        # A spreadsheet would compute a cell that begins like a formula.
        name = f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
        writer.writerow((row.table, name, row.confidence, row.checked, row.days, " ".join(row.low)))
    return stream.getvalue()


def show(console: Console, audit: Audit, most: int, lang: str) -> None:
    """Print the counts of every table and the first ``most`` rows; 0 prints all."""
    _show_tables(console, audit, lang)
    console.print(Rich(LEGEND.say(lang), "dim"))
    console.print()
    console.print(Rich(FIRST.say(lang), "bold"))
    shown = audit.rows[: most or None]
    for row in shown:
        console.print(Rich(_line(row, lang), "yellow" if row.confidence == "low" else ""))
    rest = len(audit.rows) - len(shown)
    if rest or not shown:
        console.print(Rich(REST.say(lang, n=rest) if rest else NONE.say(lang), "dim"))


def _show_tables(console: Console, audit: Audit, lang: str) -> None:
    heads = [text.say(lang) for text in (ROWS, VERIFIED, MEDIUM, LOW, HINTS, DAYS)]
    counts = [(one.rows, one.verified, one.medium, one.low, one.hints, one.days) for one in audit.tables]
    if console.width < WIDE:
        for one, numbers in zip(audit.tables, counts, strict=True):
            told = ", ".join(f"{head} {number}" for head, number in zip(heads, numbers, strict=True))
            console.print(Rich(words.pair(one.table, told, lang)))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    table.add_column(TABLE.say(lang))
    for head in heads:
        table.add_column(head, justify="right")
    for one, numbers in zip(audit.tables, counts, strict=True):
        table.add_row(one.table, *map(str, numbers))
    console.print(table)


def _line(row: AuditedRow, lang: str) -> str:
    sure = words.VALUE["confidence"][row.confidence].say(lang)
    text = LINE.say(lang, table=row.table, name=line(row.name), confidence=sure, checked=row.checked)
    return text + (ON_MEMORY.say(lang, fields=", ".join(row.low)) if row.low else "")
