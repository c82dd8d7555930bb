"""Who differs from the rest, and in what."""

from enum import Enum

from msgspec import Struct


class OddKind(str, Enum):
    """In what way a fact is odd."""

    DIFFERS = "differs"
    """Most nodes of the group have one value, these have another."""
    MISSING = "missing"
    """Most nodes of the group have it, these do not."""
    EXTRA = "extra"
    """These have it, most do not."""
    OFF = "off"
    """A number far from the middle of the group."""
    SPLIT = "split"
    """No value has a majority: nobody can say which nodes are the odd ones."""


class OddFact(Struct, frozen=True, kw_only=True):
    """One fact in which nodes differ from their group."""

    path: str
    """As in evidence; ``[*]`` stands for any device."""
    place: str
    kind: OddKind
    value: str | None
    """Of the odd nodes; of a number, the one that is furthest off."""
    common: str | None
    """What most of the group have; of a number, the median."""
    share: float
    """Part of the group that has the common value, 0 to 1; of a number, the part that is near the median."""
    faults: tuple[str, ...] = ()
    """Faults found on these nodes by rules that look at this fact."""
    weight: int = 0
    """How likely it matters; comparable within one run only."""


class Peers(Struct, frozen=True, kw_only=True):
    """Nodes that are compared with each other."""

    name: str
    """GPU model, number of GPUs and the engine's group."""
    nodes: tuple[str, ...]


class Oddity(Struct, frozen=True, kw_only=True):
    """Nodes that differ from their peers, all of them in the same facts."""

    peers: str
    of: int
    """How many nodes the group has."""
    nodes: tuple[str, ...]
    facts: tuple[OddFact, ...]
    """What matters most first."""


class Oddities(Struct, frozen=True, kw_only=True):
    """All that is odd in a run."""

    run: str
    groups: tuple[Peers, ...]
    found: tuple[Oddity, ...]
    """What matters most first."""
    alone: tuple[str, ...] = ()
    """Nodes that have too few peers to be compared."""
