"""``lsmod``, /proc/modules and ``dkms status``."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import KernelModules, Module
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import command

RELEVANT = re.compile(
    r"(?:nvidia\w*|nouveau|nova_core|nova_drm|nv_peer_mem|nvidiafb|gdrdrv|amdgpu|i915|xe|vfio\w*|ib_\w+"
    r"|rdma_\w+|mlx[45]_\w+|irdma|efa|drm)$"
)
ROW = re.compile(r"^(\w{1,60}) +(\d+) +(\d+)(?: +(\S+))?(?: +(Live|Loading|Unloading) 0x[0-9a-f]+\b.*)?$")
ABOUT_NVIDIA = re.compile(r"(?:lsmod|cat /proc/modules) ?\| ?e?grep (?:-\w+ )*['\"]?nvidia['\"]?$")
"""What such a command does not show is not loaded."""
DKMS = re.compile(r"^nvidia[\w-]*[/,] ?(\d{3}[\w.-]*), ([\w.+-]+), (\w+): (installed|built|added)\b")


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the modules that are loaded, and the kernels for which one was built."""
    loaded: dict[str, Module] = {}
    source = ""
    for line in lines:
        text = line.text.strip()
        row = ROW.match(text)
        if row and RELEVANT.match(row.group(1)):
            loaded[row.group(1)] = _module(row)
            source = source or line.place
    if source or (empty := _empty(lines)):
        yield KernelModules(loaded=loaded, source=source or empty)
    yield from _built(lines)


def _module(row: re.Match[str]) -> Module:
    users = [name for name in (row.group(4) or "").split(",") if name not in ("", "-")]
    return Module(size=int(row.group(2)), references=int(row.group(3)), used_by=users)


def _empty(lines: Sequence[Line]) -> str:
    """Return the place of a command for NVIDIA's modules that printed nothing, else an empty text."""
    for line, below in zip(lines, [*lines[1:], None], strict=False):
        typed = command(line)
        if typed and ABOUT_NVIDIA.match(typed) and (below is None or command(below) is not None):
            return line.place
    return ""


def _built(lines: Sequence[Line]) -> Iterator[KernelModules]:
    kernels: list[str] = []
    source = ""
    for line in lines:
        row = DKMS.match(line.text.strip())
        if row and row.group(4) == "installed":
            kernels.append(row.group(2))
            source = source or line.place
    if kernels:
        yield KernelModules(other_kernels=kernels, sources={"other_kernels": source})
