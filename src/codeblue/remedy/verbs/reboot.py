"""reboot: never done by codeblue; a person decides when the machine may go down."""

import os
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.verbs.by_program import ByProgram

MARK = "/run/reboot-required"
"""Debian and Ubuntu make it when an update waits for a reboot."""


class Reboot(ByProgram):
    """Takes nothing."""

    undo = Undo.NONE
    risk = Risk.HUMAN

    def look(self, args: Args) -> Look:
        """Return a step that is always needed; show what the system itself says."""
        return Look(needed=True, shows=(MARK,) if os.path.exists(MARK) else ())

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Refuse."""
        raise Refused(
            message(
                "codeblue never reboots a machine; reboot it when its work allows",
                "codeblue 从不重启机器；请在业务允许时自行重启",
            )
        )

    def verify(self, args: Args) -> bool:
        """Return False: whether the boot is a new one is known from the plan, not from here."""
        return False

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command of a person."""
        return [("reboot",)]
