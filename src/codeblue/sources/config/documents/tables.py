"""What a row of a table says, each cell by the name of its column."""

import re
from collections.abc import Iterator

from codeblue.model.config.document import Mention
from codeblue.model.config.place import Source
from codeblue.sources.config.documents.block import Block
from codeblue.sources.config.documents.mentions import bound, mentions

VERSION = r"(?:[89]|1[0-3])\.\d{1,2}"
COLUMNS = tuple(
    (kind, re.compile(column, re.IGNORECASE), re.compile(whole))
    for kind, column, whole in (
        ("driver", r"driver|驱动", r"((?:3[0-9]|4[0-9]|5[0-9]|6[0-4])\d\.\d{2,3}(?:\.\d{2})?)"),
        (
            "capability",
            r"compute capability|\bcc\b|\bsm\b|计算能力|算力",
            r"(?:sm_?)?(\d{1,2}\.\d|\d{2,3})[af]?",
        ),
        (
            "cuda",
            r"^(?:min(?:imum)?\.? |最低 ?)?(?:supported )?CUDA(?: toolkit)?(?: version|版本| \(min\)|s)?$",
            rf"(?:CUDA )?({VERSION})(?:\.\d+)?",
        ),
        ("torch", r"^(?:py)?torch(?: version|版本)?$", r"v?(\d\.\d{1,2}(?:\.\d)?(?:\+cu\d{2,3})?)"),
        ("torchvision", r"^torchvision(?: version|版本)?$", r"v?(0\.\d{1,2}(?:\.\d)?)"),
        ("torchaudio", r"^torchaudio(?: version|版本)?$", r"v?(\d\.\d{1,2}(?:\.\d)?)"),
    )
)
"""Kind, what the column is called, and how the whole cell looks; other cells are read as sentences."""


def cells(row: Block) -> Iterator[tuple[Source, list[Mention]]]:
    """Yield the cells of a row and what each mentions, at the offsets of the cell."""
    for number, cell in enumerate(row.cells):
        title = row.header[number].strip(" *`") if number < len(row.header) else ""
        yield cell, list(_cell(cell, title))


def _cell(cell: Source, title: str) -> Iterator[Mention]:
    kinds = [(kind, whole) for kind, column, whole in COLUMNS if column.search(title)]
    found = None
    if len(kinds) == 1:
        text = re.sub(r"[≥>=+\s`*]|or (?:newer|later|higher)|及?以上", " ", cell.text)
        found = kinds[0][1].fullmatch(text.strip())
    if found is None:
        yield from mentions(cell)
        return
    value, kind = found[1], kinds[0][0]
    start = cell.text.index(value)
    least = bound(cell.text, start, start, start + len(value)) or (
        "least" if re.search(r"min|required|needed|最低|需要|要求|>=|≥", title, re.IGNORECASE) else ""
    )
    if kind == "capability" and "." not in value:
        value = f"{value[:-1]}.{value[-1]}"
    yield Mention(
        kind=kind,
        value=value,
        bound=least,
        start=start,
        end=start + len(found[1]),
        place=cell.place(start, start + len(found[1])),
    )
