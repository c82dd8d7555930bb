"""Answers in short lines, for ways that cut long ones or mix the lines of many nodes."""

import base64
import binascii
import re
import zlib

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
