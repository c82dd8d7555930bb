"""Whatever a log is stored as, opened as UTF-8 bytes."""

import codecs
import io
import sys
from collections.abc import Callable
from typing import BinaryIO, NamedTuple, Protocol, cast

from codeblue.sources.scan.chunks import Readable

HEAD = 16 << 10
"""Bytes that tell what a file is."""
ODD = 0.3
"""Share of bytes that no text has, from which a file is binary."""
ODD_CODES = bytes(code for code in range(32) if code not in b"\t\n\r\x1b\x08\x0c\x07")
MAGIC = (
    b"\x7fELF",
    b"\x89PNG",
    b"PK\x03\x04",
    b"\xff\xd8\xff",
    b"%PDF",
    b"PAR1",
    b"SQLite format 3\0",
    b"\x89HDF",
    b"\x80\x02c",
    b"\x80\x04\x95",
    b"\x93NUMPY",
    b"!<arch>\n",
    b"LPKSHHRH",  # systemd journal
)
BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class NotText(Exception):
    """The file cannot be searched: why, as one of ``model.skipped.REASONS``, and in which words."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.detail = detail


class Opened(NamedTuple):
    """An opened log."""

    stream: Readable
    head: bytes
    """Its first bytes, as UTF-8."""
    plain: bool
    """The file itself holds the text, so that parts of it can be read by themselves."""


class Packed(Protocol):
    """What is left of a file that is unpacked while it is read."""

    def read1(self, size: int, /) -> bytes:
        """Return what one look at the source gives, none at the end."""


class Cautious:
    """Reads on to the first damage, and says what it was."""

    def __init__(self, stream: Packed) -> None:
        self._stream = stream
        self.damage: str | None = None

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; none from the damage on."""
        if self.damage is not None:
            return b""
        try:
            # Not read(): that would lose what it has already got when the damage comes.
            return self._stream.read1(size)
        except _damage() as error:
            self.damage = str(error) or type(error).__name__
            return b""


class Again:
    """A stream with its first bytes put back."""

    def __init__(self, head: bytes, stream: Readable) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        """Return the next bytes."""
        if self._head:
            block, self._head = self._head[:size], self._head[size:]
            return block
        return self._stream.read(size)


class Recoded:
    """Another encoding, read as UTF-8."""

    def __init__(self, stream: Readable, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; a block may be shorter, and is empty only at the end."""
        while block := self._stream.read(size):
            text = self._decoder.decode(block)
            if text:
                return text.encode("utf-8", "replace")
        return self._decoder.decode(b"", final=True).encode("utf-8", "replace")


class _Zstandard:
    """Damage in zstd data, told like other damage."""

    def __init__(self, reader: Packed, error: type[Exception]) -> None:
        self._reader = reader
        self._error = error

    def read1(self, size: int, /) -> bytes:
        """Return the next bytes."""
        try:
            return self._reader.read1(size)
        except self._error as error:
            raise OSError(str(error)) from None


def _zstandard(stream: BinaryIO) -> Packed:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return _Zstandard(zstd.ZstdFile(stream), zstd.ZstdError)
    try:
        import zstandard
    except ImportError:
        raise NotText("zstd") from None
    reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
    return _Zstandard(reader, zstandard.ZstdError)


# A module that unpacks is imported for the first file that needs it: most texts are not packed.


def _damage() -> tuple[type[Exception], ...]:
    """Return what the modules raise when data is damaged."""
    import lzma
    import zlib

    return (EOFError, OSError, zlib.error, lzma.LZMAError)


def _gzip(stream: BinaryIO) -> Packed:
    import gzip

    return gzip.GzipFile(fileobj=stream)


def _bz2(stream: BinaryIO) -> Packed:
    import bz2

    return bz2.BZ2File(stream)


def _xz(stream: BinaryIO) -> Packed:
    import lzma

    return lzma.LZMAFile(stream)


PACKED: tuple[tuple[bytes, Callable[[BinaryIO], Packed]], ...] = (
    (b"\x1f\x8b\x08", _gzip),
    (b"BZh", _bz2),
    (b"\xfd7zXZ\0", _xz),
    (b"\x28\xb5\x2f\xfd", _zstandard),
)


def opened(stream: BinaryIO) -> tuple[Opened, Cautious]:
    """Return the text of a binary stream, and the reader that knows of damage.

    Raises NotText for what is no text.
    """
    source = (
        stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    )
    start = source.peek(HEAD)[:HEAD]
    unpack = next((unpack for magic, unpack in PACKED if start.startswith(magic)), None)
    cautious = Cautious(unpack(source) if unpack else source)
    head = _first(cautious)
    if not head and cautious.damage:
        raise NotText("damaged", cautious.damage)
    encoding = _encoding(head)
    if encoding:
        recoded = Recoded(Again(head[len(_bom(head)) :], cautious), encoding)
        first = _first(recoded)
        return Opened(Again(first, recoded), first, False), cautious
    if binary(head):
        raise NotText("binary")
    text = head.removeprefix(codecs.BOM_UTF8)
    return Opened(Again(text, cautious), text, unpack is None and text is head), cautious


def _first(stream: Readable) -> bytes:
    """Return the first bytes, as many as tell what it is, or as there are."""
    parts: list[bytes] = []
    size = 0
    while size < HEAD and (block := stream.read(HEAD - size)):
        parts.append(block)
        size += len(block)
        if b"\n" in block:
            # A pipe may stay silent for long after its first lines.
            break
    return b"".join(parts)


def _bom(head: bytes) -> bytes:
    return next((bom for bom, _ in BOMS if head.startswith(bom)), b"")


def _encoding(head: bytes) -> str | None:
    """Return the wide encoding of a text: as its mark says, or as its zero bytes show."""
    wide = dict(BOMS).get(_bom(head))
    if wide:
        # Random bytes may begin like a mark; a wide text also has the zero bytes.
        return wide if head.count(0) * 5 > len(head) or (not head.isascii() and _reads(head, wide)) else None
    if len(head) >= 8 and head[1::2].count(0) * 10 >= len(head[1::2]) * 9 and 0 not in head[::2]:
        return "utf-16-le"
    return None


def _reads(head: bytes, encoding: str) -> bool:
    text = head.decode(encoding, "replace")
    return "\ufffd" not in text[:-1] and any(character in text for character in "\n\r ")


def binary(head: bytes) -> bool:
    """Tell whether the first bytes are no text. Holes of zero bytes, escapes and old encodings are text."""
    if head.startswith(MAGIC) or head[257:262] == b"ustar":
        return True
    dense = head.replace(b"\0", b"")
    if not dense:
        # A hole at the start of a truncated log, as far as anybody knows.
        return False
    try:
        dense.decode("utf-8")
        foreign = 0
    except UnicodeDecodeError:
        foreign = sum(byte in b"\x81\x8d\x8f\x90\x9d\xf7\xff" or 0x80 <= byte < 0xA0 for byte in dense)
    odd = len(dense) - len(dense.translate(None, ODD_CODES))
    return (odd + foreign) / len(dense) > ODD / 2 or _many_holes(head)


def _many_holes(head: bytes) -> bool:
    """Tell whether zero bytes are scattered, as in data, and not in one hole of a truncated log."""
    zeros = head.count(0)
    return zeros > len(head) * ODD and len([part for part in head.split(b"\0") if part]) > zeros / 8
