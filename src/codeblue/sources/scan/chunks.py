"""Chunks of whole lines from anything that can be read, in bounded memory.

Files are read, not mapped: a file that is truncated while it is mapped kills the process that looks
at it, and the mapped pages would count as memory. The kernel reads ahead in both cases.
"""

import os
from collections.abc import Iterator
from typing import Protocol, cast

CHUNK = 2 << 20
"""Bytes of a chunk: few enough for the caches of a core, enough to make calls cheap."""
LINE = 1 << 16
"""Bytes of one line that are looked at; the rest of a longer line is passed over."""


class Readable(Protocol):
    """What is left of a file-like object here."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes, none at the end."""


class Slice:
    """A part of an open file, read without moving anybody's position."""

    def __init__(self, descriptor: int, start: int, end: int) -> None:
        self._descriptor = descriptor
        self._at = start
        self._end = end

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; none at the end, also where the file has become shorter."""
        block = os.pread(self._descriptor, max(0, min(size, self._end - self._at)), self._at)
        self._at += len(block)
        return block


def chunks(stream: Readable, size: int = CHUNK) -> Iterator[bytes]:
    """Yield the text in chunks that end with a line, but for the last.

    A carriage return ends a line too. What a line has beyond LINE is left out if it does not
    end in the same chunk.
    """
    kept = b""
    skipping = False
    while block := _block(stream, size):
        if skipping:
            at = _first_end(block)
            if at < 0:
                continue
            block, skipping = block[at:], False
        text = kept + block if kept else block
        cut = max(text.rfind(b"\n"), text.rfind(b"\r", max(0, len(text) - LINE))) + 1
        if cut < len(text) - LINE:
            # The end of the line stands in what is read next, and is counted there.
            yield text[: cut + LINE] + b"\r"
            kept, rest = b"", text[cut + LINE :]
            at = _first_end(rest)
            skipping = at < 0
            kept = b"" if skipping else rest[at:]
        elif cut:
            yield text[:cut]
            kept = text[cut:]
        else:
            kept = text
    if kept:
        yield kept


def slices(descriptor: int, start: int, end: int, size: int = CHUNK) -> Iterator[bytes]:
    """Yield a part of a file in chunks that end with a line, one after the other in the same memory.

    A fresh block for each chunk would be handed out by the kernel page by page, which costs as much
    as half the search. For the same reason the end of a chunk is looked up before it is read: to cut
    it afterwards would copy it.
    """
    buffer = bytearray()
    while start < end:
        until = end if end - start <= size else _last_end(descriptor, start + size)
        if until <= start:
            yield from chunks(Slice(descriptor, start, end), size)
            return
        length = until - start
        del buffer[length:]
        buffer.extend(bytes(length - len(buffer)))
        with memoryview(buffer) as view:
            got = os.preadv(descriptor, [view], start)
        del buffer[got:]
        if got:
            # As good as bytes for everybody who only looks into it.
            yield cast(bytes, buffer)
        if got < length:
            return
        start = until


def _last_end(descriptor: int, until: int) -> int:
    """Return where the last line before a place ends; -1 if a long line stands there."""
    for size in (LINE >> 4, LINE):
        start = max(0, until - size)
        found = os.pread(descriptor, until - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
    return -1


def _block(stream: Readable, size: int) -> bytes:
    """Return a whole block from a stream that gives as little as it likes."""
    block = stream.read(size)
    if not block or len(block) * 2 >= size:
        return block
    parts = [block]
    left = size - len(block)
    while left > 0 and (block := stream.read(left)):
        parts.append(block)
        left -= len(block)
    return b"".join(parts)


def _first_end(block: bytes) -> int:
    found = [at for at in (block.find(b"\n"), block.find(b"\r")) if at >= 0]
    return min(found, default=-1)


def line_starts(descriptor: int, size: int, step: int) -> list[int]:
    """Return where parts of about ``step`` bytes begin in a file, each with a line; then its size."""
    starts = [0]
    for near in range(step, size, step):
        at = _next_line(descriptor, max(near, starts[-1]), size)
        if starts[-1] < at < size:
            starts.append(at)
    return [*starts, size]


def _next_line(descriptor: int, at: int, size: int) -> int:
    """Return the start of the first line at or behind a place."""
    at -= 1
    while at < size:
        block = os.pread(descriptor, LINE, at)
        found = block.find(b"\n")
        if found >= 0 or not block:
            return at + found + 1 if block else size
        at += len(block)
    return size
