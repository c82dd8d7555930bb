"""Files that stand in for libraries, programs and installed distributions."""

import struct
import sys
from pathlib import Path

from tests.probe.loading import VERSIONS, interpreters

PRESENT = interpreters()
ENDS = [version for version in VERSIONS if version in PRESENT][::7] or [""]
"""The oldest and the newest interpreter: where versions differ, it is between these."""

NATIVE = Path(sys.executable).read_bytes()[:64]


def elf(size: int = 256, machine: bytes = NATIVE[18:20], tag: int | None = None) -> bytes:
    """Return a library with one loaded segment and one dynamic tag, whose headers end at ``size``."""
    dynamic = b"" if tag is None else struct.pack("=QQQQ", tag, 1, 0, 0)
    segments = struct.pack("=IIQQQQQQ", 1, 5, 0, 0, 0, size, size, 4096)
    segments += struct.pack("=IIQQQQQQ", 2, 6, 64 + 112, 0, 0, len(dynamic), len(dynamic), 8)
    ident = NATIVE[:16]
    header = ident + struct.pack("=H", 3) + machine
    header += struct.pack("=IQQQIHHHHHH", 1, 0, 64, 0, 0, 64, 56, 2, 64, 0, 0)
    return (header + segments + dynamic).ljust(size, b"\0")


def cpio(files: dict[str, bytes], mode: int = 0o100644) -> bytes:
    """Return an archive of the format newc."""
    packed = b""
    for number, (name, content) in enumerate({**files, "TRAILER!!!": b""}.items()):
        encoded = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(encoded), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        packed += head.ljust((len(head) + 3) // 4 * 4, b"\0")
        packed += content.ljust((len(content) + 3) // 4 * 4, b"\0")
    return packed.ljust((len(packed) + 511) // 512 * 512, b"\0")


def dist(
    name: str, version: str, record: str | None = None, installer: str = "pip"
) -> dict[str, str | bytes]:
    folder = f"{name}-{version}.dist-info"
    files: dict[str, str | bytes] = {f"{folder}/INSTALLER": installer + "\n"}
    return files if record is None else files | {f"{folder}/RECORD": record}


def script(path: Path, text: str) -> str:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)
