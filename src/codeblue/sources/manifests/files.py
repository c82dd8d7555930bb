"""One given file as text; whatever cannot be used is one line that says what, where, and what to do."""

import io
import os
import stat
import sys
from typing import NamedTuple, NoReturn

from codeblue import patience
from codeblue.model.skipped import words
from codeblue.model.text import Message, Text, message
from codeblue.sources.failures import because
from codeblue.sources.scan.opened import NotText, opened
from codeblue.sources.scan.tidy import decoded
from codeblue.sources.target import Unusable, no_answer

STDIN = "-"
LARGEST = 10 << 20
"""Bytes of one file. Locks of large projects have two or three million."""
LONG = 200
"""Characters of a foreign text inside one of our sentences."""


class File(NamedTuple):
    """A text and where it is from."""

    name: str
    """As the user wrote it, or as the file that names it does."""
    text: str
    """Lines end with a line feed alone."""
    folder: str
    """What relative paths in it start from."""

    def place(self, line: int) -> str:
        """Return file and line, counted from 1."""
        return f"{self.name}:{line}"


def load(path: str, *, nested: bool = False) -> File:
    """Return the text of a file, or of the standard input (``-``), in whatever encoding it is.

    ``nested`` files are named by another file: a pipe among them would be waited for without end.
    Raises Unusable.
    """
    name = "stdin" if path == STDIN else path
    content = _standard_input() if path == STDIN else _content(path, nested)
    if len(content) > LARGEST:
        refuse(
            name,
            "larger than {most} MB: no list of packages is; give the file itself",
            "超过 {most} MB：软件包清单不会这么大；请给出清单文件本身",
            most=LARGEST >> 20,
        )
    return File(name, _text(name, content), "" if path == STDIN else os.path.dirname(path))


def _standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read(LARGEST + 1)
    except OSError as error:
        raise Unusable(_cannot("stdin", error)) from None


def _content(path: str, nested: bool) -> bytes:
    if "\0" in path:
        refuse(path, "no path holds a zero byte", "路径不能含有零字节")
    if not patience.answers(path):
        raise Unusable(no_answer(path))
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or (stat.S_ISFIFO(mode) and not nested)):
            refuse(path, "not a regular file; give a file of text", "不是普通文件；请给出文本文件")
        with open(path, "rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise Unusable(_cannot(path, error)) from None
    except UnicodeEncodeError:
        refuse(path, "no path is written like this", "路径不是这样写的")


def _text(name: str, content: bytes) -> str:
    try:
        stream = opened(io.BytesIO(content))[0].stream
        parts = iter(lambda: stream.read(LARGEST), b"")
        size, kept = 0, []
        for part in parts:
            size += len(part)
            if size > LARGEST * 2:
                refuse(name, "unpacks to too much; unpack it first", "解压后过大；请先解压")
            kept.append(part)
    except NotText as error:
        why = words(error.why, error.detail)
        raise Unusable(
            _with(name, why, "; give the file of text", "；请给出文本文件"),
        ) from None
    text = decoded(b"".join(kept))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _cannot(name: str, error: OSError) -> Message:
    why = Message(because(error))
    return _with(name, why, "; check the path and its permissions", "；请检查路径和权限")


def _with(name: str, why: Message, en: str, zh: str) -> Message:
    return message(
        "{name}: {en}" + en,
        "{name}：{zh}" + zh,
        name=one_line(name),
        en=one_line(why.say("en")),
        zh=one_line(why.say("zh")),
    )


def refuse(place: str, en: str, zh: str, **values: object) -> NoReturn:
    """Raise Unusable with the place before the sentence."""
    told = {name: one_line(str(value)) for name, value in values.items()}
    raise Unusable(Message(Text("{place}: " + en, "{place}：" + zh), {**told, "place": one_line(place)}))


def one_line(text: str) -> str:
    """Return a foreign text as one short harmless line."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))
    return shown if len(shown) <= LONG else f"{shown[: LONG - 1]}…"
