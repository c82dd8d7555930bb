"""What every verb can do: look, apply, verify, go back."""

from collections.abc import Sequence
from typing import Protocol

from codeblue.model.plan import Args, Before, Look
from codeblue.model.remedy import Risk, Undo


class Keep(Protocol):
    """Where before-images are kept."""

    def put(self, content: bytes) -> str:
        """Keep the content durably; return its SHA-256."""

    def get(self, digest: str) -> bytes:
        """Return kept content. Raises Refused if it is gone or damaged."""


class Action(Protocol):
    """One verb. Nothing but ``apply`` and ``back`` changes the machine."""

    undo: Undo
    risk: Risk

    def root(self, args: Args) -> bool:
        """Return whether this user lacks the rights for it."""

    def look(self, args: Args) -> Look:
        """Compare the machine with what is wanted. Raises Refused where that cannot be judged."""

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Change the machine, if it is still as ``before`` says; return what going back needs.

        ``name`` is unique to the step and run, and known from the journal before anything is written:
        temporary files carry it, so that recovery can sweep them. Raises Refused or OSError.
        """

    def verify(self, args: Args) -> bool:
        """Return whether the machine is now as wanted."""

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Take the change back. Raises Refused if somebody has changed the thing since, or OSError."""

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the commands that finish a half-done step by hand; empty if there are none."""

    def sweep(self, args: Args, name: str) -> None:
        """Remove what an interrupted ``apply`` or ``back`` of this name may have left beside the target."""
