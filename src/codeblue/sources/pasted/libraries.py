"""``ldconfig -p``, ``ldd`` and ``ls -l`` of the driver's libraries: what the loader finds."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import DriverFile, DriverFiles, Library, Loader
from codeblue.model.section import Section
from codeblue.sources.clues import Line

WANTED = re.compile(
    r"lib(?:cuda|nvidia-ml|cudart|cublas|cublasLt|cudnn|nccl|nvJitLink|nvrtc|gomp|stdc\+\+)\.so\S*$"
)
CACHED = re.compile(r"^(lib\S{1,80}\.so\S*) \(libc6[^)]{0,60}\) => (/\S+)$")
LINKED = re.compile(r"^(lib\S{1,80}\.so\S*) => (?:(/\S+) \(0x[0-9a-f]+\)|(not found))$")
ON_DISK = re.compile(
    r"^[l-][rwxsStT-]{9}[.+@]? +\d+ +\S+ +\S+ +(\d+) .{0,40}? "
    r"(\S*?lib(?:cuda|nvidia-ml)\.so\S*)(?: -> (\S+))?$"
)
VERSION = re.compile(r"lib(cuda|nvidia-ml)\.so\.(\d{3}\.\d+(?:\.\d+)*)$")
FOREIGN = re.compile(r"^lib\S+ \(libc6\) =>")
"""A library for 32-bit programs in the cache."""


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield what library names resolve to, and the driver's files that a listing shows."""
    found: dict[str, Library] = {}
    files: dict[str, DriverFile] = {}
    links: dict[str, str] = {}
    source = ""
    for line in lines:
        text = line.text.strip()
        entry = None if FOREIGN.match(text) else CACHED.match(text) or LINKED.match(text)
        if entry and WANTED.match(entry.group(1)):
            found.setdefault(entry.group(1), _library(entry))
        elif listed := ON_DISK.match(text):
            size, path, target = listed.groups()
            if target:
                links[path.rpartition("/")[2]] = target
            elif version := VERSION.search(path):
                soname = f"lib{version.group(1)}.so.1"
                files[path] = DriverFile(soname=soname, version=version.group(2), size=int(size))
        else:
            continue
        source = source or line.place
    known = _with_targets(found, links)
    if known:
        yield Loader(libraries=known, source=source)
    if files:
        yield DriverFiles(libraries=files, source=source)


def _library(entry: re.Match[str]) -> Library:
    path = entry.group(2)
    if path is None:
        return Library(path=None)
    via = "ldcache" if entry.re is CACHED else None
    version = VERSION.search(path)
    known = {"version": version.group(2), "real": path} if version else {}
    return Library(path=path, via=via, **known)  # type: ignore[arg-type]  # by field name


def _with_targets(found: dict[str, Library], links: dict[str, str]) -> dict[str, Library]:
    """Add the versions that links such as libcuda.so.1 -> libcuda.so.550.54.14 say."""
    known = dict(found)
    for soname, target in links.items():
        version = VERSION.search(target)
        if version and soname.endswith(".so.1"):
            known[soname] = Library(version=version.group(2), real=target)
    return known
