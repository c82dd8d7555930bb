"""What a site expects and accepts: the schema of ``codeblue.toml``, the same for every verb."""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta, Struct

VersionRule = Annotated[
    str,
    Meta(
        pattern=r"^(>=[0-9]+(\.[0-9]+)*|[0-9]+(\.[0-9]+)*(\.\*|\+[A-Za-z0-9.]+)?)$",
        examples=["580.159.04", "580", ">=580.65", "2.11.*"],
    ),
]
Size = Annotated[str, Meta(pattern=r"^[0-9]+[KMGT]?$", examples=["16G", "512M"])]
SizeOrUnlimited = Annotated[str, Meta(pattern=r"^([0-9]+[KMGT]?|unlimited)$", examples=["unlimited", "64G"])]
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=1, le=3600)]
Filled = Annotated[str, Meta(min_length=1)]


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every machine is expected to be. What is not given is not expected.

    A version rule is ``"580"`` (this branch), ``"2.11.*"`` (the same, written out), ``"580.159.04"`` (this
    release) or ``">=580.65"`` (this release or a newer one); a local part as in ``2.11.0+cu130`` counts only
    if the rule has one. A size is a number of bytes with K, M, G or T, in powers of 1024.
    """

    gpus: Count | None = None
    """Number of NVIDIA GPUs of the machine; for codeblue run inside of a container, of those handed in."""
    gpu: Filled | list[Filled] | None = None
    """Model of every GPU, or the list of models allowed: words of the name, e.g. ``"A100 SXM4 80GB"``."""
    driver: VersionRule | None = None
    """Version of the loaded driver."""
    cuda: VersionRule | None = None
    """CUDA version that the driver offers, e.g. ``">=13.0"``."""
    torch: VersionRule | None = None
    """Version of torch in the job's interpreter, e.g. ``"2.11.*"``."""
    ecc: bool | None = None
    """ECC of the GPU memory is on (true) or off (false)."""
    persistence: bool | None = None
    """Persistence mode is on or off."""
    mig: bool | None = None
    """MIG mode is on or off."""
    shm: Size | None = None
    """Least size of /dev/shm."""
    memlock: SizeOrUnlimited | None = None
    """Least soft limit of locked memory (``ulimit -l``)."""
    files: Count | None = None
    """Least soft limit of open files (``ulimit -n``)."""


class Host(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What some machines are expected to be, by name; the last table that matches wins, key by key."""

    match: Filled
    """Pattern of the host's name, full or up to the first dot, e.g. ``"gpu*"``."""
    expect: Expect
    """As ``[expect]``; what is given here takes the place of what is given there."""


class Waiver(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finding that the site accepts: neither cause nor risk, and listed as accepted.

    From the day after ``expires`` on it is none any more, and every report says so.
    """

    fault: str
    """Name of the fault, as ``codeblue explain --list`` prints it."""
    subject: str = "*"
    """Pattern of the subject, e.g. ``"gpu:3"``, ``"node:/dev/nvidia*"``, or ``"file:k8s/*"`` for ``lint``."""
    reason: Filled
    """Why it is accepted."""
    owner: Filled
    """Who answers for it."""
    expires: date
    """Last day on which it counts, UTC, e.g. ``2027-03-31``."""


class Check(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Defaults for options of ``check`` and ``snapshot``; the command line wins."""

    fail_on: Literal["trouble", "risk"] | None = None
    """What exit code 1 stands for."""
    budget: Seconds | None = None
    """Seconds that the probe may take."""
    as_user: Filled | None = None
    """User for whom access is judged when codeblue runs as root; root itself sees no permission fault."""


NodeLayer = Literal["hardware", "driver", "device-access", "container", "libraries"]


class Gate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """Defaults for options of ``fleet gate``; the command line wins.

    A mistake in this file keeps no job from a node: the gate tells it in one line and does what
    ``--if-undecided`` says. ``codeblue check`` ends with code 2 for it.
    """

    up_to: NodeLayer | None = None
    """The highest layer whose trouble refuses; ``libraries`` if not given."""
    refuse_likely: bool | None = None
    """Refuse also for what is only likely."""
    refuse_for: list[Filled] = []
    """Faults that refuse in any case, risks too, however sure they are."""
    only_report: list[Filled] = []
    """Faults that never refuse, nor does what follows from them alone: they are told, and the job starts."""
    if_undecided: Literal["admit", "refuse"] | None = None
    """What to do if the node could not be looked at in time; ``admit`` if not given."""
    seconds: Annotated[float, Meta(ge=2, le=600)] | None = None
    """Time for the whole answer; 10 if not given."""


Clock = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["02:00"])]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
NeedsApproval = Literal["safe", "idle-gpus", "disruptive", "reboot"]


class Window(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A maintenance window, in the local time of the host; it may pass midnight."""

    days: list[Day]
    """Days on which it begins."""
    begin: Clock
    """First minute, e.g. ``"22:00"``."""
    end: Clock
    """First minute after it, e.g. ``"04:00"``."""


class Fix(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """What ``fix`` may do here."""

    forbid: list[Filled] = []
    """Verbs that are never carried out, e.g. ``"service-restart"``."""
    never_touch: list[Filled] = []
    """Patterns of paths that no step may change, e.g. ``"/etc/ssh/*"``."""
    window: list[Window] = []
    """When disruptive steps and such that need a reboot may be applied; none is any time."""
    attempts: Annotated[int, Meta(ge=1, le=100)] = 3
    """How often a fault of a subject may be tried in vain before a person has to look."""
    keep_days: Annotated[int, Meta(ge=1, le=3650)] = 90
    """Days for which a change can be taken back."""


class Approver(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who may approve plans. With one or more, a word at the terminal is no approval any more."""

    name: Filled
    """As it stands in the approval."""
    risks: list[NeedsApproval]
    """What this person may approve."""
    until: date
    """Last day on which the approvals count; a vacant post is one that has ended."""


class Site(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file. Every table may be missing; a table or key that is not listed here is an error."""

    expect: Expect = Expect()
    """``[expect]``: what every machine is expected to be."""
    host: list[Host] = []
    """``[[host]]``: what machines with certain names are expected to be."""
    waive: list[Waiver] = []
    """``[[waive]]``: findings that the site accepts."""
    check: Check = Check()
    """``[check]``: defaults for options."""
    gate: Gate = Gate()
    """``[gate]``: what ``fleet gate`` refuses for."""
    fix: Fix = Fix()
    """``[fix]``: what ``fix`` may do here."""
    approver: list[Approver] = []
    """``[[approver]]``: who may approve plans."""


UNITS = {"K": 10, "M": 20, "G": 30, "T": 40}


def size_in_bytes(size: str) -> int:
    """Return the bytes that a size of the file stands for."""
    shift = UNITS.get(size[-1], 0)
    return int(size.rstrip("KMGT")) << shift
