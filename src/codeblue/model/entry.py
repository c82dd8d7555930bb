"""What the built index knows of a fault."""

from msgspec import Struct

from codeblue.model.fault import Clue, Kind, Reference, Severity, Signature
from codeblue.model.layers import Layer
from codeblue.model.remedy import Remedy
from codeblue.model.text import Text


class Entry(Struct, frozen=True, kw_only=True):
    """One fault as the index knows it. ``place`` is its path below the faults package, without ending."""

    id: str
    place: str
    title: Text
    layer: Layer | None = None
    kind: Kind
    severity: Severity
    explains: tuple[str, ...] = ()
    symptom: bool = False
    collateral: bool = False
    needs: tuple[str, ...] = ()
    """Sections that the check needs; empty for faults that only have signatures."""
    references: tuple[Reference, ...] = ()
    signatures: tuple[Signature, ...] = ()
    clues: tuple[Clue, ...] = ()
    literals: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """For each clue, for each pattern of ``all``: lower-case literals of which a match contains one."""
    remedy: Remedy | None = None
    next_command: str | None = None
    coded: bool
    """True if the fault has a Python check."""
    linted: bool = False
    """True if a rule over configuration files looks for it."""

    @property
    def judged(self) -> bool:
        """True if facts or texts of a machine can show it; others are found in configuration files alone."""
        return self.coded or bool(self.signatures or self.clues)
