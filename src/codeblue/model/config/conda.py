"""conda: environments, settings, and the index of a channel."""

import re

from msgspec import Struct

from codeblue.model.config.node import Node
from codeblue.model.config.place import Place


class CondaEnvironment(Struct, frozen=True, kw_only=True):
    """``environment.yml``."""

    root: Node
    channels: tuple[Node, ...]
    packages: tuple[Node, ...]
    """What conda itself installs, each as it is written: ``pytorch=2.5.1=*cuda*``."""


class Condarc(Struct, frozen=True, kw_only=True):
    """``.condarc``: where the names of channels lead."""

    root: Node


class Archive(Struct, frozen=True, kw_only=True):
    """One package file, by what is promised and by what is there."""

    name: str
    place: Place
    """Where the promise is written."""
    size: int | None
    """Bytes, promised."""
    found_size: int | None
    """Bytes of the file; None if there is no such file."""
    digest: str = ""
    """Promised, ``sha256:…`` or ``md5:…``."""
    found_digest: str = ""
    """Of the file; empty if it was not computed, since it is large or the sizes differ."""


class CondaChannel(Struct, frozen=True, kw_only=True):
    """The index of one platform of a channel on disk."""

    archives: tuple[Archive, ...]
    partial: bool
    """True if most files are not there: a cache or a list, not a mirror."""


class CachedPackage(Struct, frozen=True, kw_only=True):
    """A package that was unpacked into a cache, with the archive that lies beside it."""

    archive: Archive


def spec(node: Node) -> tuple[str, str, str]:
    """Return channel, name and version of a package as an environment writes it.

    ``nvidia::cuda-toolkit>=12.4`` is ``("nvidia", "cuda-toolkit", ">=12.4")``.
    """
    head, _, rest = node.text.rpartition("::")
    found = re.match(r"\s*([A-Za-z0-9_][\w.-]*)\s*(.*)$", rest)
    return head.rpartition("/")[2], (found[1].lower() if found else ""), (found[2].strip() if found else "")
