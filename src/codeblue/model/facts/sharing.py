"""Facts about layers that share a GPU, and about where conda gets packages from."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class VirtualGpu(Section, frozen=True, kw_only=True):
    """Layers that cut a GPU into parts. Absent: none shows. Licences are in ``fabric``."""

    NAME: ClassVar[str] = "vgpu"

    preload_file: Fact[list[str] | None] = UNREAD
    """Libraries in /etc/ld.so.preload; None without that file."""
    preloaded: Fact[bool] = UNREAD
    """HAMi's libvgpu.so is loaded into every program of this environment."""
    library: Fact[str | None] = UNREAD
    """Its path; None if it is not there."""
    limits: Fact[dict[str, str]] = UNREAD
    """CUDA_DEVICE_MEMORY_LIMIT* and CUDA_DEVICE_SM_LIMIT."""
    switches: Fact[dict[str, str]] = UNREAD
    """Other variables that the layer reads."""
    shared_cache: Fact[bool | None] = UNREAD
    """The file that CUDA_DEVICE_MEMORY_SHARED_CACHE names exists; None without that variable."""
    gridd: Fact[bool] = UNREAD
    """nvidia-gridd, which fetches the licence of a virtual GPU, is installed."""
    gridd_configured: Fact[bool] = UNREAD
    tokens: Fact[int] = UNREAD
    """Licence tokens in /etc/nvidia/ClientConfigToken."""


class CondaFile(Row, frozen=True, kw_only=True):
    """One .condarc file."""

    unread: dict[str, str] = {}
    """State of ``settings`` if it is missing: ``unsupported`` for YAML that is not understood, ``denied``."""
    settings: Fact[dict[str, list[str]]] = UNREAD
    """Channels, alias, priority and the like; a single word is a list of one."""


class Conda(Section, frozen=True, kw_only=True):
    """How conda is configured for this user. Absent: not at all. Private servers are ``other-N``."""

    NAME: ClassVar[str] = "conda"
    TABLE: ClassVar[str] = "files"

    files: Fact[dict[str, CondaFile]] = UNREAD
    """By path, in the order in which conda reads them: later ones win."""
    variables: Fact[dict[str, str]] = UNREAD
