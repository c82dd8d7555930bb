"""Whole files that tools write: bug reports, sos archives, diagnostics, flight recorder dumps.

Nothing is unpacked to disk. Every kind is known by its first bytes, read up to a limit, and
becomes parts: named texts that are read like pasted ones, and streams of ranks.
"""

import gzip
import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from codeblue.model.facts import Stream
from codeblue.sources.whole import bug_report, dcgm, flight_recorder, sos

HEAD = 2048
"""Bytes by which a kind is known."""
LARGEST = 256 << 20
"""Bytes of one file, unpacked."""
GZIP = b"\x1f\x8b"


class Part(NamedTuple):
    """One text inside a whole file, line by line; skipped lines are empty, so that numbers stay right."""

    name: str
    lines: Iterable[str]


class Whole(NamedTuple):
    """What a file holds besides plain text."""

    parts: Iterable[Part] = ()
    streams: tuple[Stream, ...] = ()


def peeked(stream: BinaryIO) -> bytes:
    """Return the first bytes without taking them; nothing of a stream that cannot do that."""
    return stream.peek(HEAD)[:HEAD] if isinstance(stream, io.BufferedReader) else b""


def unpacked(stream: BinaryIO) -> BinaryIO:
    """Return the text behind gzip, at most ``LARGEST`` bytes of it; another stream as it is."""
    if not peeked(stream).startswith(GZIP):
        return stream
    return io.BufferedReader(_Bounded(gzip.GzipFile(fileobj=stream)))


def opened(stream: BinaryIO, name: str) -> Whole | None:
    """Return the parts of a file of a known kind; None for plain text. Raises OSError if it is damaged."""
    head = peeked(stream)
    if sos.known(head):
        return Whole((Part(f"{name}:{member}", lines) for member, lines in sos.members(stream)))
    if bug_report.known(head):
        return Whole([Part(name, bug_report.chosen(_decoded(stream)))])
    if flight_recorder.known(head):
        dump = flight_recorder.load(stream.read(flight_recorder.LARGEST + 1))
        streams = flight_recorder.streams(dump, name) if dump is not None else None
        return Whole(streams=streams) if streams is not None else None
    if dcgm.known(head):
        return Whole([Part(name, dcgm.lines(stream.read(dcgm.LARGEST + 1)))])
    return None


def _decoded(stream: BinaryIO) -> Iterator[str]:
    while line := stream.readline(1 << 16):
        yield line.decode("utf-8", "replace")


class _Bounded(io.RawIOBase):
    """Reads a compressed stream up to the limit: a small file may unpack to any size."""

    def __init__(self, source: gzip.GzipFile) -> None:
        self._source = source
        self._left = LARGEST

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the buffer is writable
        try:
            content = self._source.read(min(len(buffer), self._left))
        except EOFError:  # cut short: what came so far counts
            content = b""
        except (gzip.BadGzipFile, ValueError) as error:
            raise OSError(str(error)) from None
        self._left -= len(content)
        buffer[: len(content)] = content
        return len(content)
