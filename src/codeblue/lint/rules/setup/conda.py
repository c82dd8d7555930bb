"""Does one installer alone bring torch?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.shell import Command, Script, Word
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

CONDA = ("conda", "mamba", "micromamba")
CONDA_TORCH = re.compile(r"(?:[\w-]+::)?(?:pytorch|torch)(?:[=<>!]|$)")
PIP_TORCH = re.compile(r"torch(?:[=<>!~\[]|$)")
SWITCHES = ("activate", "deactivate")


@rule("two-torch-installs-mixed", in_documents=True)
def one_installer_for_torch(script: Script) -> Iterator[Problem]:
    """``pip install torch`` behind ``conda install pytorch`` writes into the same folder."""
    switches = [one for one in script.commands if any(word.text in SWITCHES for word in one.words[:2])]
    by_conda = [one for one in script.commands if one.name in CONDA and _torch(one, CONDA_TORCH)]
    # Two environments may each have their own; images and their stages are judged as a whole elsewhere.
    if not script.whole or not by_conda or len(switches) > 1:
        return
    for command in script.commands:
        word = _torch(command, PIP_TORCH) if _is_pip(command) else None
        if word is not None and command.place > by_conda[0].place:
            yield Problem(
                place=word.place,
                message=message(
                    "conda has installed torch already: files of both end up mixed in one folder",
                    "conda 已经安装了 torch：两者的文件会混在同一个目录里",
                ),
                certainty=Certainty.LIKELY,
                severity=Severity.WARNING,
                variant="script",
            )
            return


def _torch(command: Command, pattern: re.Pattern[str]) -> Word | None:
    words = command.arguments
    if not any(word.text in ("install", "create") for word in words[:3]):
        return None
    return next(
        (
            word
            for before, word in zip(command.words, words, strict=False)
            # What follows `-c` is a channel, and conda has one of that name.
            if pattern.match(word.text) and before.text not in ("-c", "--channel", "-n", "--name")
        ),
        None,
    )


def _is_pip(command: Command) -> bool:
    if command.name.startswith("pip"):
        return True
    return command.name.startswith("python") and [word.text for word in command.words[1:3]] == ["-m", "pip"]


RULES = (one_installer_for_torch,)
