"""What changed between two runs over many nodes."""

from msgspec import Struct


class FactChange(Struct, frozen=True, kw_only=True):
    """One fact that changed in the same way on one or many nodes."""

    path: str
    place: str
    old: str | None
    """None: it was not there."""
    new: str | None
    """None: it is gone."""
    nodes: tuple[str, ...]
    weight: int = 0
    """How likely it matters."""


class StateChange(Struct, frozen=True, kw_only=True):
    """What became of nodes, or of the verdict on them."""

    old: str | None
    """None: they were not asked."""
    new: str | None
    nodes: tuple[str, ...]


class FaultChange(Struct, frozen=True, kw_only=True):
    """A fault that came to or left some nodes."""

    fault: str
    came: bool
    nodes: tuple[str, ...]


class RunChanges(Struct, frozen=True, kw_only=True):
    """Everything that differs between two runs."""

    old: str
    new: str
    states: tuple[StateChange, ...]
    faults: tuple[FaultChange, ...]
    facts: tuple[FactChange, ...]
    rebooted: tuple[str, ...]


class Moment(Struct, frozen=True, kw_only=True):
    """One change of one node, and the run that saw it first."""

    run: str
    path: str
    old: str | None
    new: str | None
    since: str | None
    """The run before, None for the first."""
