"""Facts about the NVIDIA kernel driver, its files and its device nodes."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class ProcGpu(Row, frozen=True, kw_only=True):
    """One GPU as /proc/driver/nvidia/gpus describes it."""

    model: Fact[str | None] = UNREAD
    minor: Fact[int | None] = UNREAD
    """Number N of its node /dev/nvidiaN."""
    firmware: Fact[str | None] = UNREAD
    """Version of the GSP firmware; None if it is not used."""
    vbios: Fact[str] = UNREAD
    """Version of the GPU's BIOS."""
    excluded: Fact[bool] = UNREAD


class DriverFile(Row, frozen=True, kw_only=True):
    """One user-space library of the driver on disk."""

    soname: Fact[str] = UNREAD
    version: Fact[str | None] = UNREAD
    """Version from the file name, e.g. ``580.159.04``."""
    size: Fact[int] = UNREAD
    """Bytes."""


class Driver(Section, frozen=True, kw_only=True):
    """The kernel module as it describes itself, and the libraries beside it.

    Absent means: /proc/driver/nvidia does not exist.
    """

    NAME: ClassVar[str] = "driver"
    TABLE: ClassVar[str] = "gpus"

    module_version: Fact[str] = UNREAD
    flavour: Fact[str] = UNREAD
    """``open`` or ``proprietary``."""
    params: Fact[dict[str, str]] = UNREAD
    """/proc/driver/nvidia/params."""
    gpus: Fact[dict[str, ProcGpu]] = UNREAD
    """By PCI address."""


class DriverFiles(Section, frozen=True, kw_only=True):
    """Versioned driver libraries found in the usual folders, by path."""

    NAME: ClassVar[str] = "driver_files"
    TABLE: ClassVar[str] = "libraries"

    libraries: Fact[dict[str, DriverFile]] = UNREAD
    stale_links: Fact[dict[str, str]] = UNREAD
    """Links libcuda.so.1 and libnvidia-ml.so.1 whose target does not exist, with that target."""


class Node(Row, frozen=True, kw_only=True):
    """One device node, before any NVIDIA library was called."""

    exists: Fact[bool] = UNREAD
    char: Fact[bool] = UNREAD
    """True if it is a character device (a plain file here means somebody copied one)."""
    mode: Fact[str] = UNREAD
    """Four octal digits."""
    owner: Fact[int] = UNREAD
    group: Fact[int] = UNREAD
    major: Fact[int] = UNREAD
    minor: Fact[int] = UNREAD
    expected_major: Fact[int | None] = UNREAD
    """Major number that /proc/devices gives the driver; None if it lists none."""
    nodev: Fact[bool] = UNREAD
    """True if the node lies on a mount with the option nodev, which makes every device unusable."""
    open_rw: Fact[str] = UNREAD
    """Result of opening it for reading and writing as the judged user: ``ok`` or an errno name."""
    mode_after: Fact[str | None] = UNREAD
    """Mode after the NVIDIA libraries ran; they may set it back."""


class Nodes(Section, frozen=True, kw_only=True):
    """The nodes /dev/nvidia*, as they were before the first NVIDIA library call."""

    NAME: ClassVar[str] = "nodes"
    TABLE: ClassVar[str] = "nodes"

    nodes: Fact[dict[str, Node]] = UNREAD
    """By path. Nodes that the driver needs and that are missing are listed with exists=false."""
