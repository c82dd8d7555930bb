"""The files that lint looks at, and their text."""

import os
import stat
import sys
from collections.abc import Iterator
from typing import NamedTuple

from codeblue import patience
from codeblue.model.config.place import Source
from codeblue.model.text import Message, message
from codeblue.sources.failures import cannot
from codeblue.sources.scan.tidy import decoded
from codeblue.sources.target import Unusable, no_answer

STDIN = "-"
LARGEST = 10 << 20
"""Bytes. No file that people write by hand is larger."""
PASSED_OVER = frozenset(
    {
        ".git", ".hg", ".svn", ".tox", ".nox", ".venv", "venv", "node_modules", "__pycache__", ".mypy_cache",
        ".ruff_cache", ".pytest_cache", "site-packages", ".terraform", ".eggs", "vendor", "third_party",
    }
)  # fmt: skip
"""Folders of things that others wrote or programs made."""


class NoConfiguration(Unusable):
    """What is there is no text that somebody wrote: a program's data, a pipe, a device."""


class Found(NamedTuple):
    """A file to look at."""

    path: str
    named: bool
    """True if the user named it; what a folder holds is looked at only if it is of a known kind."""


def found(paths: tuple[str, ...]) -> Iterator[Found]:
    """Yield the files that the paths mean, each once, those of a folder sorted. Raises Unusable."""
    seen: set[str] = set()
    for path in paths:
        if path != STDIN and not patience.answers(path):
            raise Unusable(no_answer(path))
        files = _below(path) if path != STDIN and os.path.isdir(path) else iter((Found(path, True),))
        for one in files:
            real = one.path if one.path == STDIN else os.path.realpath(one.path)
            if real not in seen:
                seen.add(real)
                yield one


def _below(folder: str) -> Iterator[Found]:
    """Yield the files of a folder; links to folders are not followed, so that no loop has no end."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if name not in PASSED_OVER and not os.path.exists(os.path.join(parent, name, "pyvenv.cfg"))
        )
        for name in sorted(files):
            path = os.path.join(parent, name)
            yield Found(path.removeprefix("./"), False)


def load(path: str) -> Source:
    """Return the text of a file, with a line feed at the end of lines and without a byte order mark.

    Raises Unusable if it cannot be read, or is no text.
    """
    name = "stdin" if path == STDIN else path
    content = _content(path)
    if len(content) > LARGEST:
        raise Unusable(
            message("{path}: larger than {most} MB", "{path}：超过 {most} MB", path=name, most=LARGEST >> 20)
        )
    if b"\0" in content[:8192] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NoConfiguration(message("{path}: not a text file", "{path}：不是文本文件", path=name))
    return Source(name, text_of(content))


def text_of(content: bytes) -> str:
    """Return the text of a file's bytes as it is judged."""
    text = decoded(content)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _content(path: str) -> bytes:
    if path == STDIN:
        return sys.stdin.buffer.read(LARGEST + 1)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise NoConfiguration(_not_regular(path))
        with open(path, "rb") as stream:
            return stream.read(LARGEST + 1)
    except ValueError:
        raise NoConfiguration(_not_regular(path)) from None
    except OSError as error:
        raise Unusable(
            cannot("{path}: cannot read: {why}", "{path}：无法读取：{why}", error, path=path)
        ) from None


def _not_regular(path: str) -> Message:
    return message(
        "{path}: not a regular file; give a file or a folder",
        "{path}：不是普通文件；请给出文件或目录",
        path=path,
    )
