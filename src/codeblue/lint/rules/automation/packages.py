"""Do playbooks change the driver only when somebody means them to?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.automation.acts import acts, text_of
from codeblue.model.config.ansible import Play, Task
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

MODULES = frozenset({"apt", "dnf", "yum", "package", "zypper", "dnf5"})
DRIVER = re.compile(
    r"^@?(?:nvidia-(?:driver|dkms|open|kernel|headless|utils|compute|fabricmanager)|cuda-drivers|libnvidia-|kmod-nvidia)"
)
HOLDS = re.compile(r"\bhold\b|versionlock")
UPGRADES = ("yes", "true", "dist", "full", "safe")
LOADS = re.compile(r"\breboot\b|\bmodprobe\b|\brmmod\b|nvidia-modprobe|\bshutdown\b")


@rule("driver-packages-upgrade-unattended")
def drivers_are_pinned(task: Task) -> Iterator[Problem]:
    """``state: latest`` upgrades the driver on whichever day the playbook runs."""
    state = task.get("state")
    if task.module in MODULES and state is not None and state.text == "latest":
        for name in _drivers(task):
            yield Problem(
                place=state.place,
                message=message(
                    "each run may upgrade {package} under running jobs: state: present and a version",
                    "每次运行都可能在作业运行时升级 {package}：应写 state: present 和版本",
                    package=name.text,
                ),
                certainty=Certainty.LIKELY,
                severity=Severity.WARNING,
                variant="latest",
                fix=Fix(message("write present", "改为 present"), (Edit(state.place, "present"),)),
            )
            return


@rule("driver-packages-upgrade-unattended")
def upgrades_leave_the_driver(play: Play) -> Iterator[Problem]:
    """A play that installs the driver does not upgrade everything behind it without a hold."""
    installed = [n for n, one in enumerate(play.tasks) if one.module in MODULES and any(_drivers(one))]
    if not installed or any(HOLDS.search(text_of(one)) for one in play.tasks):
        return
    for task in play.tasks[installed[0] + 1 :]:
        upgrade = task.get("upgrade") if task.module == "apt" else None
        if upgrade is not None and upgrade.text.lower() in UPGRADES:
            yield Problem(
                place=upgrade.place,
                message=message(
                    "this upgrades the driver too: its libraries then no longer fit the loaded module",
                    "这也会升级驱动：其库文件从此与已加载的内核模块不匹配",
                ),
                certainty=Certainty.LIKELY,
                variant="upgrade",
            )


@rule("driver-upgraded-without-reboot")
def the_new_module_is_loaded(play: Play) -> Iterator[Problem]:
    """A driver that a play upgrades is loaded by a reboot in the same play."""
    for task in play.tasks:
        upgraded = task.module in MODULES and task.say("state") == "latest" and any(_drivers(task))
        if upgraded and not task.notifies and not acts(play, task, LOADS):
            yield Problem(
                place=task.key.place,
                message=message(
                    "the driver is upgraded, and nothing reboots or loads the new module after it",
                    "这里升级驱动，但之后没有重启，也没有加载新模块",
                ),
                certainty=Certainty.LIKELY if not play.included else Certainty.POSSIBLE,
                variant="task",
            )


def _drivers(task: Task) -> Iterator[Node]:
    """Yield the driver's packages that a task names."""
    node = task.get("name", "pkg", "package")
    for one in (*(node.walk() if node is not None else ()), *task.items):
        if one.kind == "string" and DRIVER.match(one.text):
            yield one


RULES = (drivers_are_pinned, upgrades_leave_the_driver, the_new_module_is_loaded)
