"""ELF files: is one complete, and made for this machine? Only headers are read."""

import os
import stat
import struct

from codeblue_probe import files

SEGMENT = struct.Struct("=IIQQQQQQ")
LOAD, DYNAMIC = 1, 2
RPATH, RUNPATH = 15, 29
"""Tags of the dynamic section: folders searched before, or after, LD_LIBRARY_PATH."""


class Header:
    """The fields of a 64-bit header that say where the file must end."""

    FORMAT = struct.Struct("=16sHHIQQQIHHHHHH")

    def __init__(self, data):
        row = self.FORMAT.unpack(data[: self.FORMAT.size])
        self.segments, self.sections = row[5], row[6]
        self.segment_size, self.segment_count, self.section_size, self.section_count = row[9:13]

    def end(self):
        """Return where the section headers end."""
        return self.sections + self.section_size * self.section_count if self.sections else 0


def check(path):
    """Return (what is wrong or ``ok``, size). Raises FileNotFoundError."""
    try:
        with open(files.place(path), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                return "unreadable", status.st_size
            return _state(stream, status.st_size), status.st_size
    except FileNotFoundError:
        raise
    except OSError:
        return "unreadable", _size(path)


def tags(path):
    """Return the tags of the dynamic section, empty if there is none. Raises OSError."""
    with open(files.place(path), "rb") as stream:
        start = stream.read(64)
        if len(start) < 64 or start[:6] != _native()[:6] or start[4] != 2:
            return set()
        for kind, offset, size in _segments(stream, Header(start)):
            if kind == DYNAMIC:
                stream.seek(offset)
                table = stream.read(min(size, 1 << 16))
                return {tag for tag, _ in struct.iter_unpack("=QQ", table[: len(table) // 16 * 16])}
    return set()


def _state(stream, size):
    start = stream.read(64)
    if not start:
        return "empty"
    if start[:4] != b"\x7fELF":
        return "truncated" if b"\x7fELF".startswith(start) else "not-elf"
    if len(start) < 52:
        return "truncated"
    native = _native()
    if start[4:6] != native[4:6] or start[18:20] != native[18:20]:
        return "other-architecture"
    if start[4] != 2:
        return "ok"  # 32-bit machine: the layout of its headers is not looked at
    if len(start) < 64:
        return "truncated"
    header = Header(start)
    ends = [header.end(), header.segments + header.segment_size * header.segment_count]
    if max(ends) <= size:
        ends += [offset + length for kind, offset, length in _segments(stream, header) if kind == LOAD]
    return "truncated" if max(ends) > size else "ok"


def _segments(stream, header):
    stream.seek(header.segments)
    table = stream.read(min(header.segment_size * header.segment_count, 1 << 14))
    width = SEGMENT.size
    for at in range(0, len(table) - width + 1, header.segment_size or width):
        kind, _, offset, _, _, size, _, _ = SEGMENT.unpack(table[at : at + width])
        yield kind, offset, size


_OWN = []


def _native():
    """Return the header of the running interpreter: class, byte order and machine of this host."""
    if not _OWN:
        with open("/proc/self/exe", "rb") as stream:
            _OWN.append(stream.read(64))
    return _OWN[0]


def _size(path):
    try:
        return os.stat(files.place(path)).st_size
    except OSError:
        return None
