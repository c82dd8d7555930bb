"""Do packages of the driver change only when somebody means them to?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.setup.writes import runs
from codeblue.model.config.shell import Command, Script
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

DRIVER = re.compile(
    r"^(?:nvidia-(?:driver|dkms|open|kernel|headless|utils|compute|fabricmanager)|cuda-drivers|libnvidia-|kmod-nvidia)"
)
HOLDS = re.compile(
    r"^(?:apt-mark hold|dnf (?:\S+ )*versionlock|yum (?:\S+ )*versionlock|zypper (?:\S+ )*addlock)"
)
LOADS = re.compile(r"^(?:reboot|shutdown|modprobe|rmmod|nvidia-modprobe|init 6|systemctl reboot)\b")


@rule("driver-packages-upgrade-unattended")
def upgrades_leave_the_driver(script: Script) -> Iterator[Problem]:
    """A script that installs the driver does not upgrade everything without a hold."""
    installed = [one for one in script.commands if _installs(one)]
    if not script.whole or not installed or runs(script, HOLDS):
        return
    for command in script.commands:
        text = " ".join(word.text for word in command.arguments)
        # Before the first install there is no driver that it could change.
        late = command.name in ("apt", "apt-get") and command.place > installed[0].place
        if late and re.search(r"(?:^| )(?:dist-|full-)?upgrade\b", text):
            yield Problem(
                place=command.words[0].place,
                message=message(
                    "this upgrades the driver too: its libraries then no longer fit the loaded module",
                    "这也会升级驱动：其库文件从此与已加载的内核模块不匹配",
                ),
                certainty=Certainty.LIKELY,
                variant="script",
            )


@rule("driver-upgraded-without-reboot", pedantic=True)
def the_new_module_is_loaded(script: Script) -> Iterator[Problem]:
    """A script that installs the driver ends with a reboot, or loads the module."""
    installed = [one for one in script.commands if _installs(one)]
    if script.whole and installed and not runs(script, LOADS, installed[-1]):
        yield Problem(
            place=installed[-1].words[0].place,
            message=message(
                "where a driver is loaded already, the new libraries do not fit it until a reboot",
                "如果机器上已加载旧驱动，在重启之前新的库文件与它不匹配",
            ),
            certainty=Certainty.POSSIBLE,
            kind=Kind.RISK,
            severity=Severity.NOTE,
            variant="script",
        )


def _installs(command: Command) -> bool:
    if command.name not in ("apt", "apt-get", "dnf", "yum", "zypper"):
        return False
    words = [word.text for word in command.arguments]
    return "install" in words and any(DRIVER.match(word) for word in words)


RULES = (upgrades_leave_the_driver, the_new_module_is_loaded)
