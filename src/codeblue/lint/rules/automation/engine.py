"""Does a playbook leave Docker's configuration whole, and does the daemon read it?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.automation.acts import acts, file_of, text_of
from codeblue.model.config.ansible import Play, Task
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

FILE = "/etc/docker/daemon.json"
TOOLKIT = re.compile(r"\bnvidia-ctk\b[^|;&\n]*\bruntime configure\b")
RESTARTS = re.compile(
    r"docker\w*\b.*\b(?:re)?(?:start|load)|\b(?:re)?(?:start|load)\w*.*docker|\breboot\b", re.DOTALL
)
WHOLE = ("copy", "template")


@rule("daemon-json-overwritten")
def the_toolkit_entry_stays(play: Play) -> Iterator[Problem]:
    """What ``nvidia-ctk`` writes into the file is not replaced by another task."""
    called = [one for one in play.all if TOOLKIT.search(text_of(one))]
    for task in play.all if called else ():
        if task.module in WHOLE and file_of(task) == FILE and "nvidia" not in task.say("content"):
            path = task.get("path", "dest")
            yield Problem(
                place=path.place if path else task.key.place,
                message=message(
                    "this replaces the file: the runtime that nvidia-ctk writes into it is lost",
                    "这里整个替换该文件，nvidia-ctk 写入的 runtime 随之丢失",
                ),
                certainty=Certainty.LIKELY,
                variant="beside-toolkit",
            )


@rule("docker-daemon-not-restarted")
def the_daemon_reads_it(play: Play) -> Iterator[Problem]:
    """A changed file is read only after a restart."""
    for task in play.all:
        if _changes(task) and not acts(play, task, RESTARTS):
            yield Problem(
                place=task.key.place,
                message=message(
                    "nothing restarts Docker after this: it goes on with the old file",
                    "此后没有任务重启 Docker：它仍使用旧的配置",
                ),
                certainty=Certainty.LIKELY if not play.included else Certainty.POSSIBLE,
                variant="task",
            )


@rule("daemon-json-invalid", pedantic=True)
def the_file_is_tried(task: Task) -> Iterator[Problem]:
    """A broken file stops the daemon on every host at once; ``validate`` tries it first."""
    if task.module in WHOLE and file_of(task) == FILE and task.get("validate") is None:
        yield Problem(
            place=task.key.place,
            message=message(
                "nobody tries the file before it counts: validate: dockerd --validate --config-file %s",
                "文件生效之前没有校验：可加 validate: dockerd --validate --config-file %s",
            ),
            certainty=Certainty.POSSIBLE,
            kind=Kind.RISK,
            severity=Severity.NOTE,
            variant="not-tried",
        )


def _changes(task: Task) -> bool:
    if TOOLKIT.search(text_of(task)):
        return "--runtime=docker" in text_of(task) or "--runtime docker" in text_of(task)
    return file_of(task) == FILE


RULES = (the_toolkit_entry_stays, the_daemon_reads_it, the_file_is_tried)
