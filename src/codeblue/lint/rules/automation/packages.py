"""Do playbooks change the driver only when somebody means them to?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.automation.acts import acts
from codeblue.model.config.ansible import Play, Task
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

MODULES = frozenset({"apt", "dnf", "yum", "package", "zypper", "dnf5"})
DRIVER = re.compile(
    r"^@?(?:nvidia-(?:driver|dkms|open|kernel|headless|utils|compute|fabricmanager)|cuda-drivers|libnvidia-|kmod-nvidia)"
)
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
            )
            return


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


RULES = (drivers_are_pinned, the_new_module_is_loaded)
