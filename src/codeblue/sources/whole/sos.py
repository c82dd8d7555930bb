"""sos archives: the few members that tell of the GPU, read out of the tar without unpacking it."""

import re
import tarfile
import zlib
from collections.abc import Iterator
from lzma import LZMAError
from typing import BinaryIO

from codeblue.sources.whole.noise import silent

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
    r"sos_commands/\w+/(?P<command>"
    r"dmesg|lsmod|uname_-a|modinfo_ALL_MODULES|modinfo_nvidia\w*|dkms_status|nvidia-smi\S*|lspci_\S*|df_\S*"
    r"|free_-m|mokutil_--sb-state|docker_info|dpkg_-l|package-data|systemctl_status_nvidia\S*|ls_-\w*R\w*_\.dev"
    r"|journalctl_--no-pager_(?:--catalog_)?--boot)"
    r"|(?P<file>proc/(?:driver/nvidia/(?:version|params|gpus/[^/]+/information)|modules|cmdline)"
    r"|sys/module/nvidia/version|(?:etc|usr/lib)/os-release|etc/docker/daemon\.json))$"
)
"""Members by the names that sos makes of a command: a slash becomes a dot, a blank an underscore."""
ABOUT = re.compile(r"^filename:\s+\S*/(\w[\w-]*)\.ko")


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
                    yield member.name.partition("/")[2], [f"$ {_typed(found)}", *_kept(found, text)]
    except (tarfile.TarError, LZMAError, zlib.error, EOFError, ValueError) as error:
        if not seen:
            raise OSError(f"no readable archive: {error}") from None


def _typed(found: re.Match[str]) -> str:
    command = found.group("command")
    return command.replace("_", " ") if command else f"cat /{found.group('file')}"


def _kept(found: re.Match[str], text: str) -> Iterator[str]:
    """Yield the lines of a member; others stay empty, so that numbers stay right.

    ``modinfo`` of all modules complains of those that are built in; only NVIDIA's matter.
    """
    every = found.group("command") != "modinfo_ALL_MODULES"
    wanted = every
    for line in text.splitlines():
        about = None if every else ABOUT.match(line)
        wanted = about.group(1).startswith("nvidia") if about else wanted
        yield line if wanted and not silent(line) else ""
