"""A repair of many nodes: its pace, what became of each node, and the lines of its journal."""

from enum import Enum

from msgspec import Struct

from codeblue.model.plan import Plan


class Outcome(str, Enum):
    """What became of the repair on one node."""

    FIXED = "fixed"
    """The check on the node no longer finds the fault."""
    AWAITING = "awaiting-reboot"
    NOTHING = "nothing-to-do"
    """The node does not have the fault."""
    TAKEN_BACK = "taken-back"
    """It did not help, or broke something else; the node's own codeblue has taken it back."""
    FAILED = "failed"
    """It did not help, and a part of it stands or may stand."""
    REFUSED = "refused"
    """The node's codeblue did nothing: rights, approval, a window, another state than in the plan."""
    ABSENT = "no-codeblue"
    SILENT = "no-answer"
    """Nothing is known: codeblue may still be at work there."""
    LEFT_ALONE = "left-alone"
    """Allocated or down, says the engine: not touched."""


STANDING = (Outcome.FIXED, Outcome.AWAITING)
"""Something was changed, and stands."""


class Pace(Struct, frozen=True, kw_only=True):
    """How fast a repair goes on."""

    canary: int = 1
    """Nodes that must be fixed before any other is touched."""
    batch: int = 1
    """Nodes of each batch after them."""
    stop_above: float = 0.1
    """Share of a batch, 0 to 1; if more fail, no other batch is begun."""
    in_a_row: int = 3
    """So many failures one after another stop it too."""


class Stop(str, Enum):
    """Why no other node is touched."""

    CANARY = "canary"
    SHARE = "share"
    ROW = "row"


class NodePlan(Struct, frozen=True, kw_only=True):
    """What a node's own codeblue would do."""

    node: str
    plan: Plan | None = None
    """None if it has none; then ``outcome`` and ``why`` say what it said instead."""
    home: str = ""
    """The user's home there, which is no difference between plans."""
    outcome: Outcome | None = None
    why: str = ""


class Event(str, Enum):
    """What a line of the journal tells."""

    BEGIN = "begin"
    ASKED = "asked"
    """The node is about to be changed."""
    OUTCOME = "outcome"
    STOPPED = "stopped"
    END = "end"
    UNDONE = "undone"
    NOT_UNDONE = "not-undone"


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the journal of a repair of many nodes."""

    time: str
    """UTC, ISO 8601."""
    event: Event
    fault: str
    node: str = ""
    wave: int = 0
    """1 for the canary."""
    outcome: Outcome | None = None
    why: str = ""
    plan: str = ""
    """Digest of the node's plan."""
    stop: Stop | None = None
    drained: bool = False
    """This run has drained the node, and has left it so."""
