"""Facts about what the dynamic loader would find for the job."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Library(Row, frozen=True, kw_only=True):
    """What one library name resolves to for a process started like the job."""

    path: Fact[str | None] = UNREAD
    """None if the loader finds no file."""
    real: Fact[str | None] = UNREAD
    """The file behind the links."""
    via: Fact[str | None] = UNREAD
    """``LD_LIBRARY_PATH``, ``ldcache``, ``default`` or ``environment`` (the wheel's own folder)."""
    size: Fact[int | None] = UNREAD
    """Bytes."""
    elf: Fact[str | None] = UNREAD
    """``ok``, ``empty``, ``truncated``, ``not-elf``, ``other-architecture`` or ``unreadable``."""
    version: Fact[str | None] = UNREAD
    """Version from the file name, the symbol versions or the package that owns it."""


class Damaged(Row, frozen=True, kw_only=True):
    """One library file that cannot be loaded as it is."""

    elf: Fact[str] = UNREAD
    """As in :class:`Library`."""
    size: Fact[int] = UNREAD
    owner: Fact[str | None] = UNREAD
    """The Python distribution that installed it."""


class Loader(Section, frozen=True, kw_only=True):
    """Library names by soname, resolved as the loader would for this environment."""

    NAME: ClassVar[str] = "loader"
    TABLE: ClassVar[str] = "libraries"

    libraries: Fact[dict[str, Library]] = UNREAD
    """System-wide resolution: LD_LIBRARY_PATH, then the cache, then the default folders."""
    environment: Fact[dict[str, Library]] = UNREAD
    """The copies that the Python environment's wheels bring, by soname."""
    shadowed: Fact[dict[str, str]] = UNREAD
    """Soname of a wheel library to the file in LD_LIBRARY_PATH that hides it."""
    damaged: Fact[dict[str, Damaged]] = UNREAD
    """Damaged library files of the Python environment, by path."""
    search_path: Fact[list[str]] = UNREAD
    """Folders of LD_LIBRARY_PATH, in order."""
    preload: Fact[list[str]] = UNREAD
    """LD_PRELOAD entries."""
    preload_missing: Fact[list[str]] = UNREAD
    libcuda_copies: Fact[list[str]] = UNREAD
    """Every libcuda.so* in the search path, the cache and the usual folders."""
    nvidia_ml_copies: Fact[list[str]] = UNREAD
