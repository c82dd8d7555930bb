"""Facts about what joins the GPUs: NVLinks, peer access, the NVLink fabric."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class NvLink(Row, frozen=True, kw_only=True):
    """One NVLink of a GPU."""

    active: Fact[bool] = UNREAD
    remote: Fact[str] = UNREAD
    """PCI address of the other end, where NVML tells it."""
    remote_kind: Fact[str] = UNREAD
    """``gpu``, ``switch`` or ``ibmnpu``."""


class Registration(Row, frozen=True, kw_only=True):
    """How far a GPU has got with the NVLink fabric."""

    state: Fact[str] = UNREAD
    """``not-supported``, ``not-started``, ``in-progress`` or ``completed``."""
    status: Fact[int] = UNREAD
    """NVML's return code of the registration; it counts only once the state is ``completed``."""
    clique: Fact[int] = UNREAD
    multi_node: Fact[bool] = UNREAD
    """The fabric spans machines: it has an identifier."""
    health: Fact[str | None] = UNREAD
    """``healthy`` or ``unhealthy``; None if the GPU does not tell."""
    health_mask: Fact[int] = UNREAD


class FabricGpu(Row, frozen=True, kw_only=True):
    """What one GPU says of its surroundings."""

    unread: dict[str, str] = {}
    """State of every fact that is missing: ``unsupported`` by this library or GPU, ``denied``, ``error``."""
    links: Fact[dict[str, NvLink]] = UNREAD
    """By number; empty for a GPU without NVLink."""
    link_errors: Fact[dict[str, dict[str, int]]] = UNREAD
    """Counters that are not zero, by link: ``replay``, ``recovery``, ``crc_flit``, ``crc_data``, …"""
    fabric: Fact[Registration] = UNREAD
    vbios: Fact[str] = UNREAD
    gsp_firmware: Fact[str] = UNREAD
    pcie_replays: Fact[int] = UNREAD
    """Packets that were sent again over PCIe since the driver was loaded."""
    virtualisation: Fact[str] = UNREAD
    """``none``, ``pass-through``, ``vgpu``, ``host-vgpu`` or ``host-vsga``."""
    licence: Fact[str | None] = UNREAD
    """Licence state of a virtual GPU, e.g. ``licensed`` or ``unlicensed``; None if it needs none."""


class Peer(Row, frozen=True, kw_only=True):
    """How two GPUs reach each other. The ways are ``ok`` or the reason why not."""

    level: Fact[str] = UNREAD
    """Nearest common part: ``internal``, ``single``, ``multiple``, ``hostbridge``, ``node``, ``system``."""
    read: Fact[str] = UNREAD
    write: Fact[str] = UNREAD
    nvlink: Fact[str] = UNREAD
    atomics: Fact[str] = UNREAD


class Fabric(Section, frozen=True, kw_only=True):
    """What joins the GPUs, by NVML. Absent: it could not be loaded."""

    NAME: ClassVar[str] = "fabric"
    TABLE: ClassVar[str] = "gpus"

    gpus: Fact[dict[str, FabricGpu]] = UNREAD
    """By NVML's number; only GPUs that answer."""
    peers: Fact[dict[str, Peer]] = UNREAD
    """By both numbers, e.g. ``0-1``."""
    imex_channels: Fact[list[int] | None] = UNREAD
    """Channels in /dev/nvidia-caps-imex-channels; None without that folder."""
    imex_nodes: Fact[int | None] = UNREAD
    """Nodes in /etc/nvidia-imex/nodes_config.cfg; None without that file."""
