"""What changed between two snapshots."""

from enum import Enum
from typing import Any

from msgspec import Struct

from codeblue.model.section import State
from codeblue.model.text import Message


class ChangeKind(str, Enum):
    """What became of a fact, a row or a section."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    NOT_COMPARABLE = "not-comparable"
    """One of the two looks could not read it: nothing is known of a change."""


class Change(Struct, frozen=True, kw_only=True):
    """One difference."""

    kind: ChangeKind
    path: str
    """As in evidence, e.g. ``nodes[/dev/nvidiactl].mode``; an item of a list is ``host.cmdline[item]``."""
    place: str
    """The path without keys and with its table, e.g. ``nodes.nodes.mode``."""
    old: Any = None
    new: Any = None
    old_state: State = State.READ
    new_state: State = State.READ
    source: str
    side: str | None = None
    """``host`` for what was seen on the host around a container."""

    @property
    def section(self) -> str:
        """The section that it belongs to."""
        return self.place.partition(".")[0]


class Side(Struct, frozen=True, kw_only=True):
    """Which of the two snapshots."""

    target: str
    host: str | None
    boot: str | None
    time: str | None


class Comparison(Struct, frozen=True, kw_only=True):
    """Everything that differs between two snapshots; what matters most comes first."""

    old: Side
    new: Side
    changes: tuple[Change, ...]
    notes: tuple[Message, ...]
