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
    r"^(?:systemctl (?:\S+ )*(?:re)?(?:start|load|load-or-restart) .*docker"
    r"|service docker (?:re)?(?:start|load)|rc-service docker|(?:pkill|killall) .*dockerd"
    r"|reboot\b|shutdown\b|snap restart|dockerd\b)"
)


@rule("daemon-json-overwritten")
def the_toolkit_entry_stays(script: Script) -> Iterator[Problem]:
    """What ``nvidia-ctk`` wrote is not replaced afterwards."""
    done = [one for one in script.commands if _configures(one)]
    for one in writes(script):
        late = one.how == "replaced" and any(other.place < one.command.place for other in done)
        if late and FILE.search(one.file.text) and "nvidia" not in _heredoc(script, one.command):
            yield Problem(
                place=one.file.place,
                message=message(
                    "this replaces the file into which nvidia-ctk has just written the runtime",
                    "这里整个替换了文件，而 nvidia-ctk 刚把 runtime 写进去",
                ),
                certainty=Certainty.LIKELY,
                variant="after-toolkit",
            )


def _heredoc(script: Script, command: Command) -> str:
    """Return the lines from a command on, up to the end of a heredoc."""
    line = command.place.line - script.source.point(0)[0]
    return "\n".join(script.source.text.split("\n")[line:]).split("\nEOF")[0]


@rule("daemon-json-overwritten", pedantic=True)
def the_settings_of_the_site_stay(script: Script) -> Iterator[Problem]:
    """A file that may have other settings is not replaced as a whole."""
    if any(_configures(one) for one in script.commands):
        return
    for one in writes(script):
        if one.how == "replaced" and FILE.search(one.file.text):
            yield Problem(
                place=one.file.place,
                message=message(
                    "what the file said is lost; nvidia-ctk runtime configure merges its entry instead",
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
    ours = script.whole and "nvidia" in script.source.text.lower()
    if ours and last is not None and not runs(script, RESTARTS, last):
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
