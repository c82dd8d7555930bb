"""Is it seen when a step fails?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.launchers import Launch, launches
from codeblue.model.config.place import Place
from codeblue.model.config.shell import Command, Script
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
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


@rule("launcher-deprecated")
def launchers_are_current(script: Script) -> Iterator[Problem]:
    """``torch.distributed.launch`` has been replaced by ``torchrun``."""
    for one in launches(script):
        if one.tool == "launch":
            yield Problem(
                place=one.own.words[2].place,
                message=message(
                    "torch.distributed.launch is deprecated: torchrun replaces it",
                    "torch.distributed.launch 已弃用：请改用 torchrun",
                ),
                fix=_torchrun(one),
            )


def _torchrun(one: Launch) -> Fix:
    first, last = one.own.words[0].place, one.own.words[2].place
    whole = Place(first.line, first.column, last.end_line, last.end_column)
    edits = [Edit(whole, "torchrun")]
    for before, word in zip(one.own.words, one.own.arguments, strict=False):
        # torchrun always gives ranks by variables, and does not know the option.
        if word.text in ("--use_env", "--use-env"):
            end = before.place
            edits.append(
                Edit(Place(end.end_line, end.end_column, word.place.end_line, word.place.end_column), "")
            )
    return Fix(message("start it by torchrun", "改用 torchrun 启动"), tuple(edits))


RULES = (
    failures_of_guarded_scripts_count,
    failures_of_scripts_count,
    set_up_ends_at_a_failure,
    launchers_are_current,
)
