"""instruct: something that only a person can do."""

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.verbs.by_program import ByProgram


class Instruct(ByProgram):
    """Takes nothing: the reason of the step is the instruction."""

    undo = Undo.NONE
    risk = Risk.HUMAN

    def root(self, args: Args) -> bool:
        """Return False: a person knows."""
        return False

    def look(self, args: Args) -> Look:
        """Return a step that is always needed: no program can see whether a person has done it."""
        return Look(needed=True)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Refuse."""
        raise Refused(message("this is a person's job", "这一步需要人来做"))

    def verify(self, args: Args) -> bool:
        """Return False: nothing was done by us."""
        return False
