"""Facts from the kernel log and the services around the driver."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Xid(Row, frozen=True, kw_only=True):
    """One Xid or SXid message."""

    code: Fact[int] = UNREAD
    device: Fact[str] = UNREAD
    """PCI address as printed."""
    seconds: Fact[float | None] = UNREAD
    """Seconds since boot."""
    pid: Fact[int | None] = UNREAD
    process: Fact[str | None] = UNREAD
    text: Fact[str] = UNREAD


class KernelLine(Row, frozen=True, kw_only=True):
    """One other kernel message that matters for GPUs."""

    kind: Fact[str] = UNREAD
    """``nvrm``, ``nouveau``, ``oom``, ``segfault``, ``module``, ``iommu``, ``pcie``."""
    seconds: Fact[float | None] = UNREAD
    text: Fact[str] = UNREAD


class KernelLog(Section, frozen=True, kw_only=True):
    """Messages of the current boot only."""

    NAME: ClassVar[str] = "kernel_log"

    xids: Fact[list[Xid]] = UNREAD
    sxids: Fact[list[Xid]] = UNREAD
    lines: Fact[list[KernelLine]] = UNREAD
    complete: Fact[bool] = UNREAD
    """False if the ring buffer no longer holds the start of the boot."""


class Service(Row, frozen=True, kw_only=True):
    """One service beside the driver."""

    state: Fact[str | None] = UNREAD
    """systemd's ActiveState; None without systemd."""
    enabled: Fact[str | None] = UNREAD
    restarts: Fact[int | None] = UNREAD
    """Times that systemd has started it again by itself."""
    result: Fact[str | None] = UNREAD
    """systemd's word on how its program ended: ``success``, ``exit-code``, ``signal``, ``oom-kill`` …"""
    last_start: Fact[float | None] = UNREAD
    """Seconds since its program was last started; None if it was not, or without systemd."""
    running: Fact[bool] = UNREAD
    """A process of that name exists."""


class Services(Section, frozen=True, kw_only=True):
    """Services of the driver, of container engines, Kubernetes and Slurm, by name."""

    NAME: ClassVar[str] = "services"
    TABLE: ClassVar[str] = "services"

    services: Fact[dict[str, Service]] = UNREAD
    """Only those that are installed or running."""
    processes_visible: Fact[bool] = UNREAD
    """False if the processes of others are hidden, so that ``running`` is not known."""
