"""Rows of the knowledge tables for a terminal, for a wiki page and for programs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import json
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Rich

from codeblue import __version__
from codeblue.model.rows import Field, Grid, Row
from codeblue.report import row_words as words
from codeblue.report.escape import line, markdown

SCHEMA = "codeblue/matrix-row/1"
WIDE = 72
"""Columns from which small tables are printed as tables."""
ASIDE = ("sm_unsure", "ptx", "confidence", "note")
"""Columns of small tables that a terminal shows below, where they say something."""
TELLING = {"confidence": ("medium", "low")}
"""Values worth a line; of other keys, all."""
BRIEF = {
    "torch": ("date", "python", "pypi_variant", "torchvision"),
    "driver": ("type", "cuda_max", "eol", "security_floor"),
    "cuda": ("date", "driver_min_minor_compat", "native_driver_branch"),
    "cudnn": ("date", "pypi", "torch"),
    "nccl": ("date", "pypi", "torch"),
    "tensorrt": ("date", "cuda", "cudnn"),
    "gpu": ("arch", "cc", "class", "mem_gb"),
    "xid": ("title", "severity", "action", "app_can_cause"),
    "sxid": ("name", "fatality", "action"),
    "error": ("code", "driver", "meaning"),
    "env": ("lib", "default", "purpose"),
    "toolkit": ("kind", "date", "facts", "what", "symptom", "text"),
    "bad": ("symptom", "condition", "fixed_in"),
}
"""What one line of a list tells, by topic."""
CLEAR = frozenset(
    {
        "action",
        "arch",
        "class",
        "code",
        "condition",
        "date",
        "facts",
        "fatality",
        "kind",
        "lib",
        "meaning",
        "name",
    }
    | {"purpose", "severity", "symptom", "text", "title", "type", "what"}
)
"""Values that a line of a list shows without their label."""


def document(rows: Sequence[Row], data: str) -> str:
    """Return the JSON document; it is the same in every language. ``data`` is the date of the tables."""
    content = {
        "schema": SCHEMA,
        "codeblue": __version__,
        "data": data,
        "rows": [_document(row) for row in rows],
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _document(row: Row) -> dict[str, Any]:
    return {
        "topic": row.topic,
        "name": row.name,
        "table": row.table,
        "date": row.date,
        "confidence": row.confidence,
        "fields": {field.key: field.value for field in row.fields},
        "related": {
            grid.key: [{cell.key: cell.value for cell in cells} for cells in grid.rows] for grid in row.grids
        },
        "low": row.low,
        "sources": row.sources,
        "faults": list(row.faults),
    }


# Values as text.


def shown(field: Field, lang: str) -> str:
    """Return the value of a field as one harmless line, with hints marked."""
    text = line(_text(field, lang))
    return _hinted(text, lang) if field.low and field.value is not None else text


def _text(field: Field, lang: str) -> str:
    content = field.value
    if isinstance(content, dict):
        parts = [(key, f"{key} {_word(field.key, one, lang)}") for key, one in content.items()]
    elif isinstance(content, list):
        parts = [(str(number), _word(field.key, one, lang)) for number, one in enumerate(content)]
    else:
        return _word(field.key, content, lang)
    marked = [_hinted(text, lang) if key in field.low_parts else text for key, text in parts]
    return _separator(marked).join(marked) or words.DASH


def _separator(texts: Sequence[str]) -> str:
    """Return what stands between the parts of a list: more than a comma where they may hold commas."""
    long = any(" " in text or "，" in text for text in texts)
    if all(text.isascii() for text in texts):
        return "; " if long else ", "
    return "；" if long or any(len(text) > 8 for text in texts) else "、"


def _word(key: str, content: Any, lang: str) -> str:
    if content is None:
        return words.NONE[key].say(lang) if key in words.NONE else words.DASH
    if isinstance(content, bool):
        return (words.YES if content else words.NO).say(lang)
    if isinstance(content, dict):
        return " ".join(str(part) for part in content.values())
    known = words.VALUE.get(key, {}).get(str(content))
    return known.say(lang) if known else str(content)


def _hinted(text: str, lang: str) -> str:
    return words.HINTED.say(lang, value=text, hint=words.HINT.say(lang))


def _head(row: Row, lang: str) -> str:
    title = words.TABLE.get(row.table) or words.TOPIC[row.topic]
    return f"{title.say(lang)} {line(row.name)}"


def _trust(row: Row, lang: str) -> str:
    return words.pair(
        words.label(row.topic, "confidence", lang), words.CONFIDENCE[row.confidence].say(lang), lang
    )


def _label(topic: str, field: Field, lang: str) -> str:
    return words.label(topic, field.key, lang)


# For a terminal.


def show(console: Console, rows: Sequence[Row], lang: str) -> None:
    """Print the rows, one block each; on narrow terminals without tables."""
    for number, row in enumerate(rows):
        if number:
            console.print()
        console.print(Rich(_head(row, lang), "bold"))
        console.print(Rich(_trust(row, lang), "yellow" if row.confidence == "low" else "dim"))
        _indented(console, _pairs(row.topic, row.fields, console.width, lang))
        for grid in row.grids:
            console.print()
            console.print(Rich(words.GRID[grid.key].say(lang), "bold"))
            _indented(console, _grid(row.topic, grid, console.width, lang))
        console.print()
        for foot in _feet(row, lang):
            console.print(Rich(foot, "dim"))


def show_list(console: Console, rows: Sequence[Row], lang: str) -> None:
    """Print one line a row."""
    for row in rows:
        text = Rich(line(row.name), "bold")
        text.append("  " + " · ".join(_brief(row, lang)), "yellow" if row.confidence == "low" else "dim")
        console.print(text, soft_wrap=not console.is_terminal)
    console.print(Rich(words.COUNT.say(lang, n=len(rows)), "dim"))


def _brief(row: Row, lang: str) -> Iterator[str]:
    told = {field.key: field for field in row.fields}
    for key in BRIEF[row.topic]:
        if key in told and told[key].value not in (None, []):
            value = shown(told[key], lang)
            yield value if key in CLEAR else f"{_label(row.topic, told[key], lang)} {value}"


def _feet(row: Row, lang: str) -> Iterator[str]:
    for fault in row.faults:
        yield words.pair(words.PAGES.say(lang), f"codeblue explain {fault}", lang)
    if row.low:
        yield words.HINTS.say(lang)
    told = "; ".join(f"[{line(key)}] {line(what)}" for key, what in row.sources.items())
    yield words.pair(words.SOURCES.say(lang), told, lang)
    yield words.pair(words.DATA.say(lang), row.date, lang)


def _indented(console: Console, content: RenderableType) -> None:
    console.print(_inset(content))


def _pairs(topic: str, fields: Iterable[Field], width: int, lang: str) -> RenderableType:
    if width < WIDE:
        named = (
            (words.pair(_label(topic, field, lang), shown(field, lang), lang), field) for field in fields
        )
        return Group(*(Rich(text, _style(field)) for text, field in named))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(max_width=width // 3)
    table.add_column(overflow="fold")
    for field in fields:
        table.add_row(Rich(_label(topic, field, lang), "dim"), Rich(shown(field, lang), _style(field)))
    return table


def _inset(content: RenderableType) -> RenderableType:
    return Padding(content, (0, 0, 0, 2), expand=False)


def _grid(topic: str, grid: Grid, width: int, lang: str) -> RenderableType:
    if len(grid.rows[0]) <= 2:
        return Rich(" · ".join(" ".join(shown(cell, lang) for cell in _told(cells)) for cells in grid.rows))
    if width < WIDE:
        return Group(*(_block(topic, cells, width, lang) for cells in grid.rows))
    used = [number for number in _used(grid) if grid.rows[0][number].key not in ASIDE]
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    for number in used:
        table.add_column(_label(topic, grid.rows[0][number], lang), overflow="fold")
    for cells in grid.rows:
        table.add_row(*(Rich(shown(cells[number], lang), _style(cells[number])) for number in used))
    return Group(table, *(Rich(text, "dim") for cells in grid.rows if (text := _aside(topic, cells, lang))))


def _block(topic: str, cells: Sequence[Field], width: int, lang: str) -> RenderableType:
    return Group(Rich(shown(cells[0], lang)), _inset(_pairs(topic, _told(cells[1:]), width, lang)))


def _aside(topic: str, cells: Sequence[Field], lang: str) -> str:
    told = [
        words.pair(_label(topic, cell, lang), shown(cell, lang), lang)
        for cell in _told(cells)
        if cell.key in ASIDE and cell.value in TELLING.get(cell.key, (cell.value,))
    ]
    return words.pair(shown(cells[0], lang), "; ".join(told), lang) if told else ""


def _told(cells: Sequence[Field]) -> list[Field]:
    return [cell for cell in cells if cell.value not in (None, [])]


def _used(grid: Grid) -> list[int]:
    """Return the columns in which some row has a value."""
    return [
        number for number in range(len(grid.rows[0])) if any(_told([cells[number]]) for cells in grid.rows)
    ]


def _style(field: Field) -> str:
    return "dim" if field.low else ""


# For a wiki page.


def page(rows: Sequence[Row], lang: str) -> str:
    """Return the rows in Markdown."""
    return "\n".join(text for row in rows for text in _page(row, lang)).rstrip() + "\n"


def page_list(rows: Sequence[Row], lang: str) -> str:
    """Return a Markdown table with one line a row."""
    topic = rows[0].topic
    told = {field.key for row in rows for field in row.fields}
    keys = [key for key in BRIEF[topic] if key in told]
    heads = [words.TOPIC[topic].say(lang), *(words.label(topic, key, lang) for key in keys)]
    lines = [_cells(heads), _cells(["---"] * len(heads), escaped=False)]
    for row in rows:
        fields = {field.key: field for field in row.fields}
        lines.append(_cells([row.name, *(shown(fields[key], lang) if key in fields else "" for key in keys)]))
    return "\n".join(lines) + f"\n\n{words.pair(words.DATA.say(lang), rows[0].date, lang)}\n"


def _page(row: Row, lang: str) -> Iterator[str]:
    yield f"# {markdown(_head(row, lang))}"
    yield ""
    yield markdown(_trust(row, lang))
    yield ""
    for field in row.fields:
        yield f"- {markdown(words.pair(_label(row.topic, field, lang), shown(field, lang), lang))}"
    yield ""
    for grid in row.grids:
        yield f"## {words.GRID[grid.key].say(lang)}"
        yield ""
        used = _used(grid)
        yield _cells([_label(row.topic, grid.rows[0][number], lang) for number in used])
        yield _cells(["---"] * len(used), escaped=False)
        for cells in grid.rows:
            yield _cells([shown(cells[number], lang) for number in used])
        yield ""
    yield from (f"- {markdown(foot)}" for foot in _feet(row, lang))
    yield ""


def _cells(texts: Iterable[str], escaped: bool = True) -> str:
    return f"| {' | '.join(markdown(text) if escaped else text for text in texts)} |"
