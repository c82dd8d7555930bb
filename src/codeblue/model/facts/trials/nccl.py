"""Collective operations of all GPUs together."""

from typing import ClassVar

from codeblue.model.facts.trials.base import Measured, Tried
from codeblue.model.section import UNREAD, Fact, Row


class Collective(Row, frozen=True, kw_only=True):
    """One operation with messages of one size. Speeds are missing where time was left for the check only."""

    wrong: Fact[int] = UNREAD
    """Values of this rank that were not what they should be."""
    seconds: Fact[float] = UNREAD
    """Of one call, the mean over the ranks."""
    algbw: Fact[float] = UNREAD
    """Size by time, GB/s."""
    busbw: Fact[float] = UNREAD
    """GB/s as nccl-tests defines it: comparable to the speed of the links."""


class StepParts(Row, frozen=True, kw_only=True):
    """How a rank spends a small training step: it computes, hands in a collective, waits. Milliseconds."""

    own_low_ms: Fact[float] = UNREAD
    """Computing and handing in, the lower quartile."""
    own_ms: Fact[float] = UNREAD
    """The same, the median."""
    own_high_ms: Fact[float] = UNREAD
    """The same, the upper quartile."""
    compute_ms: Fact[float] = UNREAD
    hand_in_ms: Fact[float] = UNREAD
    wait_ms: Fact[float] = UNREAD
    """For the other ranks, the median."""


class NcclTried(Measured, frozen=True, kw_only=True):
    """What one rank did."""

    alone: Fact[bool] = False
    """There is no second rank, so there is nothing to measure."""
    rank: Fact[int] = UNREAD
    world: Fact[int] = UNREAD
    """How many ranks there are."""
    backend: Fact[str] = UNREAD
    """``nccl``, or ``gloo`` on processors."""
    gpu: Fact[str | None] = UNREAD
    """As the driver calls it; None for a processor."""
    nccl: Fact[str | None] = UNREAD
    """Version of NCCL that torch brings."""
    host: Fact[str | None] = None
    """Pseudonym of the host where a launcher started the ranks; None on this machine."""
    at: Fact[str] = UNREAD
    """What it was doing last."""
    step: Fact[StepParts] = UNREAD
    collectives: Fact[dict[str, dict[str, Collective]]] = UNREAD
    """By operation (``all_reduce`` …) and size in bytes."""


class NcclLog(Row, frozen=True, kw_only=True):
    """What NCCL itself says at INFO."""

    version: Fact[str | None] = None
    transports: Fact[dict[str, int]] = {}
    """Connections by way: ``P2P/CUMEM``, ``SHM/direct``, ``NET/IB/GDRDMA``, ``NET/Socket``, …"""
    network: Fact[str | None] = None
    """The network for other hosts: ``IB``, ``Socket`` or a plugin's name."""
    interfaces: Fact[list[str]] = []
    """What that network uses, e.g. ``eth0`` or ``mlx5_0:1/IB``."""
    variables: Fact[dict[str, str]] = {}
    """Variables that NCCL read, from the environment or from its own files."""
    warnings: Fact[list[str]] = []
    """Its warnings, each once."""


class NcclRun(Row, frozen=True, kw_only=True):
    """The same trial once more with variables of the workers changed."""

    changed: Fact[dict[str, str | None]] = UNREAD
    """Variables that were set, or removed for None."""
    devices: Fact[dict[str, NcclTried]] = UNREAD
    log: Fact[NcclLog] = UNREAD


class NcclTrial(Tried, frozen=True, kw_only=True):
    """Collective operations of all devices at once."""

    NAME: ClassVar[str] = "nccl_trial"
    TABLE: ClassVar[str] = "devices"

    devices: Fact[dict[str, NcclTried]] = UNREAD
    """By the number that torch gives the device; by rank where a launcher started them."""
    log: Fact[NcclLog] = UNREAD
    again: Fact[NcclRun] = UNREAD
    launcher: Fact[str | None] = None
    """The launcher's name, e.g. ``srun``; None where the workers were started here."""
