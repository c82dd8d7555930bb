"""One entry of the catalogue, and the decorator that makes it from a check."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from msgspec import Struct

from codeblue.model.layers import Layer
from codeblue.model.remedy import Remedy
from codeblue.model.text import Message, Text


class Kind(str, Enum):
    """What a fault means for the user."""

    TROUBLE = "trouble"
    RISK = "risk"
    HARMLESS = "harmless"


class Severity(str, Enum):
    """How much it hurts."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Certainty(str, Enum):
    """How sure the evidence makes us."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Reference(Struct, frozen=True):
    """Where a claim comes from."""

    title: str
    url: str
    date: str
    """When it was read, ISO 8601."""


class Signature(Struct, frozen=True):
    """A pattern for one line of text.

    ``anchor`` is a literal that every matching line contains; it keeps the pattern
    from being tried, or even compiled, on other lines. Patterns keep to the syntax
    that re, RE2 and Hyperscan share.
    """

    anchor: str
    pattern: str
    certainty: Certainty = Certainty.CERTAIN
    subject: str = ""
    """Subject template with captured names, e.g. ``gpu:{gpu}``; empty is ``log``."""


class Clue(Struct, frozen=True):
    """Words that together point at a fault, wherever they stand in a short text.

    Every pattern of ``all`` must be found in some line, in any order, in any case, and none
    of ``none`` in any. Lines are what programs printed, what the reporter noted, and given
    facts such as ``gpu: RTX 5090``. A clue is never certain, and only possible where the
    words stand in notes alone.
    """

    all: tuple[str, ...]
    none: tuple[str, ...] = ()
    certainty: Certainty = Certainty.LIKELY
    bites: bool = False
    """True if it also names the harm: what is a risk by itself is then trouble."""


class Cite(Struct, frozen=True):
    """A path into the snapshot; the engine adds value and source."""

    path: str


class Hit(Struct, frozen=True, kw_only=True):
    """What a check found. The engine makes a finding of it."""

    subject: str
    summary: Message
    because: tuple[Cite, ...]
    certainty: Certainty = Certainty.CERTAIN
    kind: Kind | None = None
    """Overrides the fault's kind for this hit."""
    severity: Severity | None = None
    variant: str | None = None
    remedy: Remedy | None = None


Check = Callable[..., Iterator[Hit]]


class Fault(Struct, frozen=True, kw_only=True):
    """Identity, metadata and check of one fault."""

    id: str
    title: Text
    layer: Layer | None
    """None for harmless lines, which have no layer."""
    kind: Kind
    severity: Severity
    explains: tuple[str, ...] = ()
    symptom: bool = False
    """True for what one sees, such as a failed start of CUDA: something else is why."""
    collateral: bool = False
    """True for what ranks report when another rank has failed."""
    references: tuple[Reference, ...] = ()
    signatures: tuple[Signature, ...] = ()
    clues: tuple[Clue, ...] = ()
    remedy: Remedy | None = None
    """The remedy of findings that bring none of their own."""
    next_command: str | None = None
    """What to run when this fault stays unexplained."""
    check: Check | None = None


def cite(*paths: str) -> tuple[Cite, ...]:
    """Point at facts, e.g. ``cite("driver.module_version", "nodes[/dev/nvidia0].mode")``."""
    return tuple(Cite(path) for path in paths)


def fault(id: str, **metadata: Any) -> Callable[[Check], Fault]:
    """Make a :class:`Fault` of the decorated check."""

    def make(check: Check) -> Fault:
        return Fault(id=id, check=check, **metadata)

    return make
