"""What codeblue cannot change from inside, and therefore writes out for the tool that can."""

from abc import ABC, abstractmethod

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.verbs.by_program import ByProgram


class Rendered(ByProgram, ABC):
    """A verb whose change lives in a launch command or a manifest."""

    undo = Undo.NONE
    risk = Risk.HUMAN
    form = "sh"
    """What ``--render`` is to be given."""

    def root(self, args: Args) -> bool:
        """Return False: it is text."""
        return False

    def look(self, args: Args) -> Look:
        """Return a step that is always needed, with its text."""
        return Look(needed=True, shows=tuple(self.text(args).splitlines()))

    @abstractmethod
    def text(self, args: Args) -> str:
        """Return what is to be written out. Raises Refused if the step has no usable one."""

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Refuse, with the way to the text."""
        raise Refused(
            message(
                "this changes how the container is started: write it out with --render {form}",
                "这改变的是容器的启动方式：请用 --render {form} 输出",
                form=self.form,
            )
        )

    def verify(self, args: Args) -> bool:
        """Return False: from here nobody sees how the container will be started."""
        return False
