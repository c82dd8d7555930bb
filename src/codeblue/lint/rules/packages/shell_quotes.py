"""Does the shell hand a version limit to pip, or take it for a redirection?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.shell import Command, Script
from codeblue.model.lint import Problem
from codeblue.model.text import message

LIMIT = re.compile(r"=?\d[\w.*]*(?:,.*)?$")


@rule("pip-limit-redirected")
def limits_are_quoted(script: Script) -> Iterator[Problem]:
    """``pip install torch>=2.4`` writes a file named ``=2.4``."""
    for command in script.commands:
        for word in command.redirected if _installs(command) else ():
            if word.text.startswith("=") and LIMIT.match(word.text):
                yield Problem(
                    place=word.place,
                    message=message(
                        "the shell writes a file {name} here, and pip sees no limit of the version: put the "
                        "whole requirement in quotes",
                        "shell 会在这里写入名为 {name} 的文件，pip 看不到版本限制：请给整条依赖加引号",
                        name=word.text,
                    ),
                )


def _installs(command: Command) -> bool:
    words = [word.text for word in command.words[:5]]
    return "install" in words and (command.name.startswith(("pip", "python", "uv", "conda", "mamba")))


RULES = (limits_are_quoted,)
