"""Do udev's rules do what they say?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.lines import Term, Udev
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

COMPARED = (
    "ACTION",
    "DEVPATH",
    "KERNEL",
    "KERNELS",
    "SUBSYSTEM",
    "SUBSYSTEMS",
    "DRIVER",
    "DRIVERS",
    "TEST",
    "RESULT",
)
ASSIGNED = ("MODE", "GROUP", "OWNER", "SYMLINK", "RUN", "GOTO", "LABEL", "OPTIONS")
NODES = re.compile(r"nvidia(?:ctl|-uvm|-uvm-tools|-modeset|\[0-9\]\*?|\d|\*)?$")


@rule("udev-rule-ineffective")
def operators_fit_their_keys(udev: Udev) -> Iterator[Problem]:
    """``=`` compares nothing, and ``==`` assigns nothing."""
    for one in (term for rule_ in udev.rules for term in rule_):
        name = one.key.split("{", 1)[0]
        compares = one.operator in ("==", "!=")
        if name in COMPARED and not compares:
            yield _problem(
                one,
                "==",
                "{key} is compared, with ==; udev skips the rule",
                "{key} 用于比较，应写 ==；udev 会忽略这条规则",
            )
        elif name in ASSIGNED and compares and name not in ("SYMLINK", "TEST"):
            yield _problem(
                one,
                "+=" if name == "RUN" else "=",
                "{key} is assigned, with =; udev skips the rule",
                "{key} 用于赋值，应写 =；udev 会忽略这条规则",
            )


def _problem(one: Term, right: str, en: str, zh: str) -> Problem:
    return Problem(
        place=one.operator_place,
        variant="operator",
        message=message(en, zh, key=one.key),
        fix=Fix(message("write {right}", "改为 {right}", right=right), (Edit(one.operator_place, right),)),
    )


@rule("udev-rule-ineffective")
def nodes_of_nvidia_are_not_udevs(udev: Udev) -> Iterator[Problem]:
    """The driver's helper makes the nodes with the mode of the module's options; udev hears of none."""
    for terms in udev.rules:
        node = next((one for one in terms if one.key == "KERNEL" and NODES.match(one.value)), None)
        sets = next((one for one in terms if one.key in ("MODE", "GROUP", "OWNER")), None)
        runs = any(one.key.startswith(("RUN", "PROGRAM")) for one in terms)
        if node is not None and sets is not None and not runs:
            yield Problem(
                place=sets.place,
                variant="nvidia-nodes",
                certainty=Certainty.POSSIBLE,
                message=message(
                    "nvidia-modprobe makes these nodes; their mode is NVreg_DeviceFileMode, not udev's",
                    "这些节点由 nvidia-modprobe 创建，模式取自 NVreg_DeviceFileMode，而不是 udev",
                ),
            )


RULES = (operators_fit_their_keys, nodes_of_nvidia_are_not_udevs)
