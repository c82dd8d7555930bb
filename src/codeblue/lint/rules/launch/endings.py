"""Is it seen when a step fails?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.launchers import launches
from codeblue.model.config.shell import Command, Script
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

DRIVER = re.compile(
    r"nvidia-(?:driver|kernel|dkms|open|utils|container|headless)|cuda-drivers|libnvidia|NVIDIA-Linux-"
)
INSTALLERS = ("apt", "apt-get", "dnf", "yum", "zypper")


@rule("exit-code-lost-in-pipe")
def failures_of_guarded_scripts_count(script: Script) -> Iterator[Problem]:
    """Who writes ``set -e`` wants the script to end, also where the output goes through ``tee``."""
    if script.errexit:
        yield from _lost(script, Severity.WARNING)


@rule("exit-code-lost-in-pipe", pedantic=True)
def failures_of_scripts_count(script: Script) -> Iterator[Problem]:
    """A script ends with the exit code of ``tee``, which is always 0."""
    if not script.errexit:
        yield from _lost(script, Severity.NOTE)


def _lost(script: Script, severity: Severity) -> Iterator[Problem]:
    if script.pipefail or "PIPESTATUS" in script.source.text:
        return
    for one in launches(script):
        command = one.command
        if command.feeds == "tee" and not command.guarded:
            yield Problem(
                place=command.words[0].place,
                message=message(
                    "the pipe hides the exit code of {program}: without pipefail a failed run counts as good",
                    "{program} 的退出码在管道中丢失：没有 pipefail 时，失败的运行也算成功",
                    program=command.name,
                ),
                severity=severity,
            )


@rule("setup-continues-after-failure")
def set_up_ends_at_a_failure(script: Script) -> Iterator[Problem]:
    """A script that installs a driver and then trains does not train if that failed."""
    starts = [one.command.place for one in launches(script) if not one.command.nested]
    if not script.whole or script.errexit or not starts:
        return
    for command in script.commands:
        if _sets_up(command) and not command.guarded and not command.nested and command.place < max(starts):
            yield Problem(
                place=command.words[0].place,
                message=message(
                    "if this fails the script goes on to the training: set -e is missing",
                    "即使这一步失败，脚本也会继续训练：缺少 set -e",
                ),
                certainty=Certainty.LIKELY,
            )
            return


def _sets_up(command: Command) -> bool:
    text = " ".join(word.text for word in command.words)
    if command.name in INSTALLERS:
        return "install" in text and DRIVER.search(text) is not None
    return (command.name == "modprobe" and "nvidia" in text) or command.name.startswith("NVIDIA-Linux-")


RULES = (
    failures_of_guarded_scripts_count,
    failures_of_scripts_count,
    set_up_ends_at_a_failure,
)
