"""``ls -l /dev/nvidia*``: the device nodes with their modes; and words about opening them."""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from codeblue.model.facts import Node, Nodes
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import outputs

ENTRY = re.compile(
    r"^([c-])([rwxsStT-]{9})([.+@]?) +\d+ +(\S+) +(\S+) +(?:(\d+), *(\d+)|\d+) .{0,60}?"
    r"(/dev/nvidia[\w-]*|(?<= )nvidia(?:\d+|ctl|-uvm|-uvm-tools|-modeset|-nvswitch\w*))$"
)
WHOLE = re.compile(r"ls(?: -\w+)* /dev/nvidia\*(?: /dev/\S+)*$")
"""A command that lists every node: what it does not show is not there."""
NONE = re.compile(
    r"^(?:ls: cannot access '?/dev/nvidia\*'?: No such file or directory"
    r"|zsh: no matches found: /dev/nvidia\*)"
)
OPENED = re.compile(
    r"^open(?:at)?\((?:AT_FDCWD, )?\"(/dev/nvidia[\w-]*)\", O_RDWR[^)]*\)"
    r" = -1 (EACCES|EPERM|ENOENT|EIO|ENODEV)\b"
)
"""A line of strace."""
ALWAYS = ("/dev/nvidiactl", "/dev/nvidia-uvm")
"""Nodes that every CUDA program opens."""
BITS = ("r", "w", "x") * 3


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the nodes that are listed; others may exist, unless the listing is a whole one."""
    nodes: dict[str, Node] = {}
    sources: list[str] = []
    for line in lines:
        text = line.text.strip()
        if entry := ENTRY.match(text):
            path, node = _node(entry)
            nodes[path] = node
        elif opened := OPENED.match(text):
            before = nodes.get(opened.group(1), Node(exists=opened.group(2) != "ENOENT"))
            nodes[opened.group(1)] = structs.replace(before, open_rw=opened.group(2))
        elif NONE.match(text):
            nodes |= {path: Node(exists=False) for path in ALWAYS if path not in nodes}
        else:
            continue
        sources.append(line.place)
    if nodes:
        for path in _missing(lines):
            nodes.setdefault(path, Node(exists=False))
        yield Nodes(nodes=nodes, source=sources[0])


def _missing(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the nodes that a whole listing does not show."""
    for output in outputs(lines, WHOLE):
        entries = [found for line in output if (found := ENTRY.match(line.text.strip()))]
        shown = {_path(entry) for entry in entries}
        if shown:
            yield from (path for path in ALWAYS if path not in shown)


def _path(entry: re.Match[str]) -> str:
    name = entry.group(8)
    return name if name.startswith("/") else f"/dev/{name}"


def _node(entry: re.Match[str]) -> tuple[str, Node]:
    kind, bits, mark, owner, group, major, minor, _ = entry.groups()
    known: dict[str, object] = {}
    for name, who in (("owner", owner), ("group", group)):
        if who == "root" or who.isdigit():
            known[name] = 0 if who == "root" else int(who)
    if major is not None:
        known |= {"major": int(major), "minor": int(minor)}
    if mark != "+":  # with an access list the group's bits are only its mask
        known["mode"] = _octal(bits)
    return _path(entry), Node(exists=True, char=kind == "c", **known)  # type: ignore[arg-type]  # by field name


def _octal(bits: str) -> str:
    number = sum(
        1 << (8 - n) for n, (bit, wanted) in enumerate(zip(bits, BITS, strict=True)) if bit == wanted
    )
    return f"{number:04o}"
