"""Facts about network interfaces, RDMA devices and the clock. No address is collected."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Interface(Row, frozen=True, kw_only=True):
    """One network interface."""

    kind: Fact[str] = UNREAD
    """``ethernet``, ``infiniband``, ``loopback`` or ``other``."""
    physical: Fact[bool] = UNREAD
    """True if a device on a bus stands behind it; bridges, bonds and tunnels have none."""
    state: Fact[str | None] = UNREAD
    """The kernel's operstate, e.g. ``up`` or ``down``."""
    speed: Fact[int | None] = UNREAD
    """Mbit/s; None where the link is down or does not tell."""
    mtu: Fact[int] = UNREAD
    ipv4: Fact[bool] = UNREAD
    """It has an IPv4 address."""
    ipv6: Fact[bool] = UNREAD
    """It has an IPv6 address other than the link-local one."""


class RdmaPort(Row, frozen=True, kw_only=True):
    """One port of an RDMA device."""

    state: Fact[str] = UNREAD
    """``down``, ``init``, ``armed`` or ``active``."""
    link_layer: Fact[str] = UNREAD
    """``infiniband`` or ``ethernet``."""
    rate: Fact[str] = UNREAD
    """As the kernel prints it, e.g. ``400 Gb/sec (4X NDR)``."""


class RdmaDevice(Row, frozen=True, kw_only=True):
    """One device below /sys/class/infiniband."""

    driver: Fact[str | None] = UNREAD
    """Kernel driver of its PCI function, e.g. ``mlx5_core``."""
    firmware: Fact[str | None] = UNREAD
    numa: Fact[int | None] = UNREAD
    """NUMA node of its slot; None where the kernel knows none."""
    ports: Fact[dict[str, RdmaPort]] = UNREAD
    """By number."""


class Network(Section, frozen=True, kw_only=True):
    """Interfaces and RDMA devices as the process sees them."""

    NAME: ClassVar[str] = "network"
    TABLE: ClassVar[str] = "interfaces"

    interfaces: Fact[dict[str, Interface]] = UNREAD
    """By name; a name that somebody chose is replaced by ``other-N``."""
    rdma: Fact[dict[str, RdmaDevice]] = UNREAD
    """By name."""
    rdma_nodes: Fact[list[str]] = UNREAD
    """Names below /dev/infiniband."""
    peermem: Fact[str | None] = UNREAD
    """``nvidia_peermem`` or ``nv_peer_mem`` if that kernel module is there."""


class Clock(Section, frozen=True, kw_only=True):
    """Whether something keeps the clock right."""

    NAME: ClassVar[str] = "clock"

    synchronised: Fact[bool] = UNREAD
    """The kernel holds the clock for synchronised (adjtimex)."""
    estimated_error: Fact[float] = UNREAD
    """Seconds, as the daemon told the kernel; without a daemon it means nothing."""
    daemons: Fact[list[str]] = UNREAD
    """Programs for time synchronisation that run here."""
