"""``requirements.txt`` and everything of its kind: constraints, ``pip freeze``, ``pip-compile``."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence

from codeblue.sources.manifests import pip_specs
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered, public

COMMENT = re.compile(r"(?:^|\s)#.*")
OWN_OPTIONS = re.compile(r"(?<!\s)\s+--?[A-Za-z].*$", re.DOTALL)
"""Hashes and settings behind a requirement."""
LONGEST = 100_000
"""Characters of one line: a requirement may carry a hundred hashes."""
MOST = 20_000
"""Lines of one file."""

FILES = {"-r": False, "--requirement": False, "-c": True, "--constraint": True}
INDEXES = {
    "-i": "index",
    "--index-url": "index",
    "--pypi-url": "index",
    "--extra-index-url": "extra-index",
    "--index": "extra-index",
    "--default-index": "index",
    "-f": "find-links",
    "--find-links": "find-links",
}
EDITABLE = ("-e", "--editable")
VALUED = ("--no-binary", "--only-binary", "--trusted-host", "--use-feature", "--config-settings", "--hash")
LONE = ("--pre", "--no-index", "--prefer-binary", "--require-hashes", "--always-unzip", "-Z")
"""Options that name no distribution and no place to take one from."""


def read(file: File, into: Gathered, restricts: bool = False) -> None:
    """Read every line; what is not understood is left. ``restricts``: it is a file of constraints."""
    for count, (number, line) in enumerate(_lines(file.text)):
        if count >= MOST:
            into.left(
                file.place(number),
                "only the first {most} lines are read",
                "只读取前 {most} 行",
                most=MOST,
            )
            return
        read_line(line, file.place(number), file.folder, into, restricts)


def read_line(line: str, origin: str, folder: str, into: Gathered, restricts: bool = False) -> None:
    """Read one line, without comments and line ends; ``folder`` is what paths in it start from."""
    if len(line) > LONGEST:
        into.left(origin, "too long for a line", "这一行太长")
        return
    if not line.startswith("-"):
        pip_specs.add(OWN_OPTIONS.sub("", line), origin, into, restricts=restricts)
        return
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    for name, value in options(words):
        _option(name, value, origin, folder, into, restricts)


def options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield options with their values; a word that is no option has an empty name."""
    rest = iter(words)
    for word in rest:
        name, sep, value = word.partition("=")
        known = name in FILES or name in INDEXES or name in EDITABLE or name in VALUED
        if not word.startswith("-"):
            yield "", word
        elif sep and word.startswith("--"):
            yield name, value
        elif known:
            yield word, next(rest, "")
        elif word[:2] in (*FILES, *INDEXES, *EDITABLE) and not word.startswith("--"):
            yield word[:2], word[2:]
        else:
            yield word, ""


def _option(name: str, value: str, origin: str, folder: str, into: Gathered, restricts: bool) -> None:
    if name in FILES:
        follow(value, origin, folder, into, restricts or FILES[name])
    elif name in INDEXES:
        into.index(value, origin, INDEXES[name])
    elif name in EDITABLE or not name:
        pip_specs.add(value, origin, into, restricts=restricts)
    elif name not in VALUED and name not in LONE:
        into.left(origin, "option {name} is not known", "未知选项 {name}", name=name)


def follow(path: str, origin: str, folder: str, into: Gathered, restricts: bool) -> None:
    """Read another file that a line names, unless it is not on this machine."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) and not path.startswith("file://"):
        into.left(
            origin,
            "{path} is not fetched; download it and give it too",
            "不会下载 {path}；请下载后一并给出",
            path=public(path),
        )
        return
    into.follow(os.path.join(folder, path.removeprefix("file://")), origin, restricts)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers; one that goes on has that of its first part."""
    parts: list[str] = []
    first = 1
    for number, raw in enumerate(text.split("\n"), start=1):
        first = first if parts else number
        comment = COMMENT.match(raw) is not None
        if raw.endswith("\\") and not comment:
            parts.append(raw.rstrip("\\"))
            continue
        # As in pip, a line that is only a comment ends the one that goes on.
        whole, parts = "".join([*parts, f" {raw}" if comment and parts else raw]), []
        line = COMMENT.sub("", whole).strip()
        if line:
            yield first, line
    line = COMMENT.sub("", "".join(parts)).strip()
    if line:
        yield first, line
