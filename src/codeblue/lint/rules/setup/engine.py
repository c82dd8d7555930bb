"""Does a script leave Docker's configuration whole, and does the daemon read it?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.setup.writes import runs, writes
from codeblue.model.config.shell import Command, Script
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

FILE = re.compile(r"/etc/docker/daemon\.json$")
TOOLKIT = re.compile(r"^nvidia-ctk (?:\S+ )*runtime configure\b")
RESTARTS = re.compile(
    r"^(?:systemctl (?:\S+ )*(?:re)?(?:start|load|load-or-restart) .*docker|service docker (?:re)?(?:start|load)"
    r"|rc-service docker|(?:pkill|killall) .*dockerd|reboot\b|shutdown\b|snap restart|/etc/init\.d/docker|dockerd\b)"
)


@rule("daemon-json-overwritten")
def the_toolkit_entry_stays(script: Script) -> Iterator[Problem]:
    """What ``nvidia-ctk`` wrote is not replaced afterwards."""
    done = [one for one in script.commands if _configures(one)]
    for one in writes(script):
        if (
            one.how == "replaced"
            and FILE.search(one.file.text)
            and any(c.place < one.command.place for c in done)
        ):
            if "nvidia" not in script.source.text[_offset(script, one.command) :].split("EOF")[0]:
                yield Problem(
                    place=one.file.place,
                    message=message(
                        "this replaces the file into which nvidia-ctk has just written the runtime",
                        "这里整个替换了文件，而 nvidia-ctk 刚把 runtime 写进去",
                    ),
                    certainty=Certainty.LIKELY,
                    variant="after-toolkit",
                )


def _offset(script: Script, command: Command) -> int:
    line = command.place.line - script.source.point(0)[0]
    return sum(len(text) + 1 for text in script.source.text.split("\n")[:line])


@rule("daemon-json-overwritten", pedantic=True)
def the_settings_of_the_site_stay(script: Script) -> Iterator[Problem]:
    """A file that may have other settings is not replaced as a whole."""
    for one in writes(script):
        if one.how == "replaced" and FILE.search(one.file.text):
            yield Problem(
                place=one.file.place,
                message=message(
                    "whatever the file said before is lost; nvidia-ctk runtime configure merges its entry instead",
                    "文件原有的内容会丢失；nvidia-ctk runtime configure 则是合并写入",
                ),
                certainty=Certainty.POSSIBLE,
                kind=Kind.RISK,
                severity=Severity.NOTE,
                variant="replaced",
            )


@rule("docker-daemon-not-restarted")
def the_daemon_reads_it(script: Script) -> Iterator[Problem]:
    """A new runtime is known only after a restart."""
    changed = [one for one in script.commands if _configures(one)]
    changed += [one.command for one in writes(script) if FILE.search(one.file.text)]
    last = max(changed, key=lambda one: one.place, default=None)
    if script.whole and last is not None and not runs(script, RESTARTS, last):
        yield Problem(
            place=last.words[0].place,
            message=message(
                "dockerd reads this only when it starts: systemctl restart docker is missing behind it",
                "dockerd 只在启动时读取：此后缺少 systemctl restart docker",
            ),
            certainty=Certainty.LIKELY,
            variant="script",
        )


def _configures(command: Command) -> bool:
    text = " ".join((command.name, *(word.text for word in command.arguments)))
    runtime = command.value("--runtime") or "docker"
    return (
        TOOLKIT.match(text) is not None and runtime == "docker" and not command.has("--dry-run", "--config")
    )


RULES = (the_toolkit_entry_stays, the_settings_of_the_site_stay, the_daemon_reads_it)
