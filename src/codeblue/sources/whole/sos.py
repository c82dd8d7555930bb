"""sos archives: the few members that tell of the GPU, read out of the tar without unpacking it."""

import re
import tarfile
import zlib
from collections.abc import Iterator
from lzma import LZMAError
from typing import BinaryIO

PACKED = (b"\xfd7zXZ", b"BZh")
USTAR = b"ustar"
USTAR_AT = 257
MEMBERS = 100_000
LARGEST = 4 << 20
"""Bytes of one member."""
OFFSET = 2 << 30
"""Bytes of the archive, unpacked, that are looked through."""
WANTED = re.compile(
    r"^[^/]+/(?:"
    r"sos_commands/(?:kernel|hardware|nvidia|pci|filesys|docker|podman|dpkg|rpm|process|logs|systemd|services)/(?P<command>"
    r"(?:dmesg|lsmod|uname_-a|modinfo\S*nvidia|dkms_status|nvidia-smi\S*|lspci_\S*|df_\S*|docker_info|dpkg_-l"
    r"|package-data|systemctl_status\S*nvidia\S*|journalctl_--no-pager_--boot))"
    r"|(?P<file>proc/(?:driver/nvidia/version|modules|cmdline)|etc/(?:os-release|docker/daemon\.json)))$"
)


def known(head: bytes) -> bool:
    """True for the first bytes of a tar, packed or not."""
    return head.startswith(PACKED) or head[USTAR_AT : USTAR_AT + 5] == USTAR


def members(stream: BinaryIO) -> Iterator[tuple[str, list[str]]]:
    """Yield name and lines of the members that matter, below the command that printed them.

    Raises OSError if the archive is damaged at its begin; one that is cut short gives what it has.
    """
    seen = False
    try:
        with tarfile.open(fileobj=stream, mode="r|*") as archive:
            for number, member in enumerate(archive):
                seen = True
                if number >= MEMBERS or member.offset > OFFSET:
                    return
                found = WANTED.match(member.name) if member.isfile() else None
                content = archive.extractfile(member) if found else None
                if found and content:
                    text = content.read(LARGEST).decode("utf-8", "replace")
                    yield member.name.partition("/")[2], [f"$ {_typed(found)}", *text.splitlines()]
    except (tarfile.TarError, LZMAError, zlib.error, EOFError, ValueError) as error:
        if not seen:
            raise OSError(f"no readable archive: {error}") from None


def _typed(found: re.Match[str]) -> str:
    command = found.group("command")
    return command.replace("_", " ") if command else f"cat /{found.group('file')}"
