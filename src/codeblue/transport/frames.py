"""Answers in short lines, for ways that cut long ones or mix the lines of many nodes."""

import base64
import binascii
import re
import zlib
from collections.abc import Iterator

LARGEST = 64 << 20
"""Bytes of one answer; more is no answer of ours."""

LINE = re.compile(rb"(\d{1,6})/(\d{1,6}):([A-Za-z0-9+/=]*)\s*$")


class Frames:
    """Collects the lines of one answer; ``marker`` stands before each, with anything in front of it."""

    def __init__(self, marker: str) -> None:
        self._marker = marker.encode()
        self._parts: dict[int, bytes] = {}
        self._count = 0

    def take(self, line: bytes) -> bool:
        """Take one line of output; return True if the answer is complete now."""
        _, found, rest = line.partition(self._marker)
        part = LINE.match(rest) if found else None
        if part is None:
            return False
        self._count = int(part.group(2))
        self._parts[int(part.group(1))] = part.group(3)
        return len(self._parts) == self._count

    def document(self) -> bytes | None:
        """Return the answer, or None if it is incomplete or damaged."""
        if not self._count or len(self._parts) < self._count:
            return None
        text = b"".join(self._parts.get(number, b"") for number in range(1, self._count + 1))
        try:
            unpacker = zlib.decompressobj()
            content = unpacker.decompress(base64.b64decode(text, validate=True), LARGEST)
        except (binascii.Error, zlib.error):
            return None
        return content if unpacker.eof else None


INTRODUCTION = re.compile(rb"is:([\w.-]{1,255})\s*$")
LABEL = re.compile(r"(\S{1,64}?):\s")
MOST = 100_000
"""Voices of one program; more labels are none of a launcher."""


class Voices:
    """Answers of many over one pipe: a launcher puts a label and a colon before each line.

    Who speaks behind a label is told by a line of its own: the marker and ``is:NAME``.
    """

    def __init__(self, marker: str) -> None:
        self._marker = marker
        self._frames: dict[bytes, Frames] = {}
        self._names: dict[str, str] = {}
        self._news: list[tuple[str, bytes | None]] = []

    def take(self, line: bytes) -> bool:
        """Take one line of output; there is always more to come."""
        before, found, rest = line.partition(self._marker.encode())
        label = before.strip().rstrip(b":")
        if not found or (label not in self._frames and len(self._frames) >= MOST):
            return False
        if name := INTRODUCTION.match(rest):
            self._names[_text(label)] = _text(name.group(1))
            self._news.append((_text(name.group(1)), None))
            return False
        if self._frames.setdefault(label, Frames(self._marker)).take(line):
            document = self._frames[label].document()
            self._news.append((self._names.get(_text(label), _text(label)), document or b""))
            del self._frames[label]
        return False

    def news(self) -> Iterator[tuple[str, bytes | None]]:
        """Yield names with their answers, once each; None for a name that was just told."""
        while self._news:
            yield self._news.pop(0)

    def named(self, line: str) -> str:
        """Return a line of complaint with the name in place of the label."""
        label = LABEL.match(line)
        name = self._names.get(label.group(1)) if label else None
        return f"{name}: {line[label.end() :]}" if label and name else line


def _text(part: bytes) -> str:
    return part.decode("utf-8", "replace")
