"""What the commands of a script write into files."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeblue.model.config.shell import Command, Script, Word


class Write(NamedTuple):
    """One file that one command changes."""

    command: Command
    file: Word
    how: str
    """``replaced``, ``appended`` or ``edited``."""


def writes(script: Script) -> Iterator[Write]:
    """Yield every change of a file that can be told from the words."""
    for command in script.commands:
        yield from (Write(command, word, "replaced") for word in command.overwritten)
        yield from (
            Write(command, word, "appended")
            for word in command.redirected
            if word not in command.overwritten and word.text.startswith("/")
        )
        if command.name == "tee":
            how = "appended" if command.has("-a", "--append") else "replaced"
            yield from (Write(command, word, how) for word in command.arguments if word.text[:1] != "-")
        elif command.name in ("sed", "perl") and any(
            re.match(r"-\w*i|--in-place", word.text) for word in command.arguments
        ):
            yield from (Write(command, word, "edited") for word in command.arguments if word.text[:1] == "/")
        elif command.name in ("cp", "mv", "install") and len(command.words) > 2:
            yield Write(command, command.words[-1], "replaced")


def runs(script: Script, pattern: re.Pattern[str], after: Command | None = None) -> bool:
    """Tell whether a command that a pattern fits is in the script, behind another one if that is given."""
    return any(
        pattern.search(" ".join((one.name, *(word.text for word in one.arguments))))
        for one in script.commands
        if after is None or one.place > after.place
    )
