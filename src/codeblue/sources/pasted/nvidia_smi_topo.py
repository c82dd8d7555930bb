"""``nvidia-smi topo -m``: how near the GPUs are to each other."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from codeblue.model.facts import Fabric, Peer
from codeblue.model.section import Section
from codeblue.sources.clues import Line

HEADER = re.compile(r"^\s+GPU0\b|^GPU0\s+GPU1\b")
"""The second where the text has lost the tab in front."""
ROW = re.compile(r"^ ?GPU(\d+)\s+(.+)$")
MOST = 8
"""Matrices that are tried."""
GPUS = 128
LEVELS = {"PIX": "single", "PXB": "multiple", "PHB": "hostbridge", "NODE": "node", "SYS": "system"}
"""Words of the matrix by NVML's names. NVLinks (``NV18``) hide the level below them."""


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the pairs of the first matrix that says how near they are; ``-p2p`` has the same head."""
    heads = (position for position, line in enumerate(lines) if HEADER.match(line.text))
    for position in islice(heads, MOST):
        columns = [word for word in lines[position].text.split() if re.fullmatch(r"GPU\d+", word)][:GPUS]
        peers: dict[str, Peer] = {}
        for below in lines[position + 1 : position + 1 + len(columns)]:
            row = ROW.match(below.text)
            if row:
                peers |= _pairs(row.group(1), row.group(2).split(), columns)
        if peers:
            yield Fabric(peers=peers, sources={"peers": lines[position].place})
            return


def _pairs(number: str, cells: Sequence[str], columns: Sequence[str]) -> dict[str, Peer]:
    found = {}
    for column, cell in zip(columns, cells, strict=False):
        other = column.removeprefix("GPU")
        if int(number) < int(other) and cell in LEVELS:
            found[f"{number}-{other}"] = Peer(level=LEVELS[cell])
    return found
