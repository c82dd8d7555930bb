"""The PyTorch table for a wiki page, a spreadsheet or a program."""

import csv
import html
import io
from collections.abc import Callable, Iterator

from msgspec import json

from codeblue import __version__
from codeblue.model.rows import Field, Grid
from codeblue.model.text import Text
from codeblue.report import row_words as words
from codeblue.report.escape import line, markdown
from codeblue.report.rows import shown

SCHEMA = "codeblue/matrix-table/1"
TOPIC = "table"
CAPTION = Text(
    "PyTorch builds: CUDA, cuDNN, NCCL, drivers and GPUs (data of {data}, codeblue {version})",
    "PyTorch 构建对照：CUDA、cuDNN、NCCL、驱动与 GPU（数据日期 {data}，codeblue {version}）",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet compute a cell."""


def render(grid: Grid, form: str, data: str, lang: str) -> str:
    """Return the table as ``md``, ``html``, ``csv`` or ``json``. ``data`` is the date of the tables.

    CSV and JSON have the keys of the fields as names, the same in every language.
    """
    return FORMS[form](grid, data, lang)


def _markdown(grid: Grid, data: str, lang: str) -> str:
    lines = [f"**{markdown(_caption(data, lang))}**", "", _row([_label(cell, lang) for cell in grid.rows[0]])]
    lines.append("|" + " --- |" * len(grid.rows[0]))
    lines += [_row([shown(cell, lang) for cell in cells]) for cells in grid.rows]
    return "\n".join(lines) + "\n"


def _row(texts: list[str]) -> str:
    return f"| {' | '.join(map(markdown, texts))} |"


def _html(grid: Grid, data: str, lang: str) -> str:
    return "\n".join(_html_lines(grid, data, lang)) + "\n"


def _html_lines(grid: Grid, data: str, lang: str) -> Iterator[str]:
    yield f'<table lang="{"zh-CN" if lang == "zh" else "en"}" border="1">'
    yield f"<caption>{_escaped(_caption(data, lang))}</caption>"
    heads = "".join(f'<th scope="col">{_escaped(_label(cell, lang))}</th>' for cell in grid.rows[0])
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for cells in grid.rows:
        told = "".join(f"<td>{_escaped(shown(cell, lang))}</td>" for cell in cells)
        yield f"<tr>{told}</tr>"
    yield "</tbody>"
    yield "</table>"


def _csv(grid: Grid, data: str, lang: str) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*(cell.key for cell in grid.rows[0]), "hints", "data", "codeblue"])
    for cells in grid.rows:
        hints = " ".join(cell.key for cell in cells if cell.low)
        writer.writerow([*map(_plain, cells), hints, data, __version__])
    return stream.getvalue()


def _plain(cell: Field) -> str:
    content = cell.value
    if isinstance(content, bool):
        return str(content).lower()
    text = (
        " ".join(map(str, content)) if isinstance(content, list) else "" if content is None else str(content)
    )
    text = line(text)
    return f"'{text}" if text.startswith(FORMULA) else text


def _json(grid: Grid, data: str, lang: str) -> str:
    rows = [
        {cell.key: cell.value for cell in cells} | {"low": [cell.key for cell in cells if cell.low]}
        for cells in grid.rows
    ]
    content = {"schema": SCHEMA, "codeblue": __version__, "data": data, "rows": rows}
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _caption(data: str, lang: str) -> str:
    return CAPTION.say(lang, data=data, version=__version__)


def _label(cell: Field, lang: str) -> str:
    return words.label(TOPIC, cell.key, lang)


def _escaped(text: str) -> str:
    return html.escape(line(text))


FORMS: dict[str, Callable[[Grid, str, str], str]] = {
    "md": _markdown,
    "html": _html,
    "csv": _csv,
    "json": _json,
}
