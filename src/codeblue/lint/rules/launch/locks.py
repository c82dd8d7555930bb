"""Do two runs of a script keep out of each other's way?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.setup.writes import writes
from codeblue.model.config.shell import Script
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

CHECKED = re.compile(
    r"(?:\[\[?|\btest)[ \t]+!?[ \t]*-[efs][ \t]+[\"']?([^\s\"']*lock[^\s\"']*)", re.IGNORECASE
)
ONE_STEP = re.compile(r"\bflock\b|\bnoclobber\b|\bset -C\b|\blockfile\b|\bmkdir\b[^\n]*lock|\bln -s")


@rule("lock-file-race", pedantic=True)
def locks_are_one_step(script: Script) -> Iterator[Problem]:
    """A lock is taken by ``flock``, not by a check and a ``touch``."""
    checked = {found[1] for found in CHECKED.finditer(script.source.text)}
    if not checked or ONE_STEP.search(script.source.text):
        return
    touched = [word for command in script.commands if command.name == "touch" for word in command.arguments]
    for word in (*touched, *(one.file for one in writes(script))):
        if word.text in checked:
            yield Problem(
                place=word.place,
                message=message(
                    "between the check and this another run can pass the check too: use flock",
                    "在检查和这一步之间，另一次运行也可能通过检查：请使用 flock",
                ),
                certainty=Certainty.POSSIBLE,
            )
            return


RULES = (locks_are_one_step,)
