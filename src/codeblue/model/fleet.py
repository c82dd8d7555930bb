"""Many nodes: who was asked, who answered, and what a run found."""

from enum import Enum

from msgspec import Struct

from codeblue.model.fault import Certainty, Kind
from codeblue.model.layers import Layer
from codeblue.model.text import Message


class NodeState(str, Enum):
    """What became of one node in one run."""

    ANSWERED = "answered"
    SILENT = "silent"
    """Nothing came within the time: it hangs, or the way to it does."""
    REFUSED = "refused"
    """Nothing could be started there: not reached, no rights, no Python."""
    DOWN = "down"
    """The engine itself says that it is down."""
    ALLOCATED = "allocated"
    """At work for somebody, and therefore not looked at."""
    UNUSABLE = "unusable"
    """It answered something that cannot be read."""


class Listed(Struct, frozen=True):
    """A node as its engine lists it."""

    name: str
    state: NodeState | None = None
    """None for a node that can be looked at; else why it is not asked."""
    why: str = ""
    group: str = ""
    """What it belongs to: a partition, a pool, a section of an inventory."""
    host: str = ""
    """The name that the machine should give itself, if that is another."""


class Reply(Struct, frozen=True, kw_only=True):
    """What came back from one node."""

    node: str
    state: NodeState
    why: str = ""
    document: bytes | None = None
    """The probe's answer, JSON."""
    seconds: float = 0.0
    group: str = ""
    heard: float = 0.0
    """When it came, in seconds since 1970; 0 if nobody has noted it."""


class Run(Struct, frozen=True, kw_only=True):
    """One look at a fleet."""

    id: str
    """Begins with the time, UTC: runs sort by it."""
    engine: str
    asked: tuple[str, ...] = ()
    """What the user wrote: hosts, a partition, a selector."""
    nodes: tuple[Listed, ...] = ()
    """All nodes that the engine listed."""
    codeblue: str = ""
    data: str = ""
    """Date of the knowledge tables."""


class Role(str, Enum):
    """What a finding is on its node."""

    CAUSE = "cause"
    CONSEQUENCE = "consequence"
    RISK = "risk"


class NodeFinding(Struct, frozen=True, kw_only=True):
    """A finding on one node, without its evidence, which is in the node's snapshot."""

    fault: str
    subject: str
    layer: Layer | None
    kind: Kind
    certainty: Certainty
    role: Role
    summary: Message


class Marks(Struct, frozen=True, kw_only=True):
    """What nodes are compared by when a cause is looked for that many of them share."""

    gpu: str = ""
    """Model of its GPUs; empty if it could not be read."""
    gpus: int = 0
    driver: str = ""
    """Version of the loaded kernel module."""
    installed: str = ""
    """Version of the driver's libraries on disk, where they are all of one version."""
    uptime: float | None = None
    """Seconds since it booted, when it was looked at."""
    silent: tuple[tuple[str, str], ...] = ()
    """Role and kind of the file systems on the network that did not answer."""
    down: tuple[str, ...] = ()
    """Ports of RDMA devices whose link is down, ``device/port``."""
    up: tuple[str, ...] = ()


class Judged(Struct, frozen=True, kw_only=True):
    """The verdict on one node."""

    node: str
    group: str
    state: NodeState
    why: str
    verdict: str
    """``healthy``, ``risk``, ``trouble`` or ``unknown``; empty for a node that gave no answer."""
    without_gpu: bool = False
    """Read where no GPU was asked for."""
    host: str | None = None
    """Pseudonym of the name that it gives itself."""
    boot: str | None = None
    """Pseudonym of its boot."""
    skew: float | None = None
    """Seconds by which its clock is certainly ahead of ours, or behind."""
    notes: tuple[Message, ...] = ()
    """What is odd about who it is and when; no trouble."""
    seconds: float = 0.0
    findings: tuple[NodeFinding, ...] = ()
    marks: Marks = Marks()


class CascadeKind(str, Enum):
    """What many nodes have in common."""

    SILENT_GROUP = "silent-group"
    """All of a group, or of a row of neighbours, gave no answer."""
    FILE_SERVER = "file-server"
    """A file system on the network answers none of them."""
    SWITCH = "switch"
    """The same port is down on neighbours."""
    ROLL_OUT = "roll-out"
    """Two driver versions, the newer one on nodes that booted later."""
    COMMON_FAULT = "common-fault"
    """Nearly all of a group have the same fault."""


class Cascade(Struct, frozen=True, kw_only=True):
    """One thing behind what many nodes show."""

    kind: CascadeKind
    group: str
    nodes: tuple[str, ...]
    of: int
    """Nodes of the group."""
    certainty: Certainty
    summary: Message
    because: tuple[Message, ...] = ()
    """What speaks for it, and what speaks against it."""


class Shared(Struct, frozen=True, kw_only=True):
    """One fault on one or many nodes."""

    fault: str
    layer: Layer | None
    kind: Kind
    certainty: Certainty
    role: Role
    nodes: tuple[str, ...]
    summary: Message
    """That of the first node."""
    subjects: int
    """On how many things, such as GPUs, it was found."""
