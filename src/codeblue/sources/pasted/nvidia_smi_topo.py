"""``nvidia-smi topo -m``: how near the GPUs are to each other."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Fabric, Peer
from codeblue.model.section import Section
from codeblue.sources.clues import Line

HEADER = re.compile(r"^\s+GPU0\b")
ROW = re.compile(r"^ ?GPU(\d+)\s+(.+)$")
LEVELS = {"PIX": "single", "PXB": "multiple", "PHB": "hostbridge", "NODE": "node", "SYS": "system"}
"""Words of the matrix by NVML's names. NVLinks (``NV18``) hide the level below them."""


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the pairs of the first matrix."""
    for position, line in enumerate(lines):
        if not HEADER.match(line.text):
            continue
        columns = [word for word in line.text.split() if re.fullmatch(r"GPU\d+", word)]
        peers: dict[str, Peer] = {}
        for below in lines[position + 1 : position + 1 + len(columns)]:
            row = ROW.match(below.text)
            if row:
                peers |= _pairs(row.group(1), row.group(2).split(), columns)
        if peers:
            yield Fabric(peers=peers, sources={"peers": line.place})
        return


def _pairs(number: str, cells: Sequence[str], columns: Sequence[str]) -> dict[str, Peer]:
    found = {}
    for column, cell in zip(columns, cells, strict=False):
        other = column.removeprefix("GPU")
        if int(number) < int(other) and cell in LEVELS:
            found[f"{number}-{other}"] = Peer(level=LEVELS[cell])
    return found
