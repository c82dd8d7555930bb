"""``ls -l /dev/nvidia*``: the device nodes with their modes."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Node, Nodes
from codeblue.model.section import Section
from codeblue.sources.clues import Line

ENTRY = re.compile(
    r"^([c-])([rwxsStT-]{9})[.+@]? +\d+ +(\S+) +(\S+) +(?:(\d+), *(\d+)|\d+) .*?(/dev/nvidia[\w-]*)$"
)
BITS = ("r", "w", "x") * 3


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the nodes that are listed; the others may exist, as a listing may be an excerpt."""
    nodes: dict[str, Node] = {}
    sources: dict[str, str] = {}
    for line in lines:
        entry = ENTRY.match(line.text.strip())
        if entry:
            nodes[entry.group(7)] = _node(entry)
            sources.setdefault("nodes", f"{line.file}:{line.number}")
    if nodes:
        yield Nodes(nodes=nodes, source=sources["nodes"])


def _node(entry: re.Match[str]) -> Node:
    kind, bits, owner, group, major, minor, _ = entry.groups()
    known: dict[str, object] = {}
    for name, who in (("owner", owner), ("group", group)):
        if who == "root" or who.isdigit():
            known[name] = 0 if who == "root" else int(who)
    if major is not None:
        known |= {"major": int(major), "minor": int(minor)}
    return Node(exists=True, char=kind == "c", mode=_octal(bits), **known)  # type: ignore[arg-type]  # by field name


def _octal(bits: str) -> str:
    number = sum(
        1 << (8 - n) for n, (bit, wanted) in enumerate(zip(bits, BITS, strict=True)) if bit == wanted
    )
    return f"{number:04o}"
