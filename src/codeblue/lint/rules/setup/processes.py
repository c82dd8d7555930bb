"""Does a script leave the GPUs and the work of others alone?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.shell import Command, Script
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

NODE = re.compile(r"/dev/nvidia(?:ctl|\d|\*|-uvm|-modeset|-caps|\[|\{|$|\$)")
PIDS = re.compile(r"nvidia-smi\b.*pid|nvidia-smi\b.*\bawk\b|fuser\b.*/dev/nvidia|lsof\b.*/dev/nvidia")


@rule("playbook-sets-device-node-mode")
def the_driver_owns_its_nodes(script: Script) -> Iterator[Problem]:
    """``chmod`` of a node holds until the driver makes the node anew."""
    for command in script.commands:
        if command.name in ("chmod", "chown", "chgrp", "setfacl"):
            for word in command.arguments:
                if NODE.match(word.text):
                    yield Problem(
                        place=word.place,
                        message=message(
                            "{program} on {node} does not last: the driver makes it as its own options say",
                            "对 {node} 执行 {program} 不会持久：驱动按自己的选项创建该节点",
                            program=command.name,
                            node=word.text,
                        ),
                        variant="script",
                    )
                    break


@rule("gpu-processes-killed-blindly")
def only_own_processes_end(script: Script) -> Iterator[Problem]:
    """``kill`` of whatever has a GPU open ends the jobs of others too."""
    for at, command in enumerate(script.commands):
        following = script.commands[at + 1 : at + 6]
        killer = (
            command if _kills(command) else _killer(following) if _lists(command) and command.feeds else None
        )
        if killer is not None:
            yield Problem(
                place=killer.words[0].place,
                message=message(
                    "this ends every process that has a GPU open, whoever it belongs to",
                    "这会结束所有正在使用 GPU 的进程，不管属于谁",
                ),
            )


def _kills(command: Command) -> bool:
    text = " ".join(word.text for word in command.arguments)
    if command.name == "fuser":
        return "/dev/nvidia" in text and any(
            re.match(r"-\w*k|--kill", word.text) for word in command.arguments
        )
    return command.name == "kill" and PIDS.search(text) is not None


def _lists(command: Command) -> bool:
    """Tell whether a command prints the processes that use GPUs."""
    text = " ".join(word.text for word in command.arguments)
    if command.name == "nvidia-smi":
        return "pid" in text or not text
    return command.name in ("fuser", "lsof") and "/dev/nvidia" in text


def _killer(following: tuple[Command, ...]) -> Command | None:
    """Return ``xargs kill`` at the end of a pipe."""
    for one in following:
        if one.name == "xargs":
            return one if any(word.text == "kill" for word in one.arguments) else None
        if not one.feeds:
            return None
    return None


@rule("driver-module-forced-out")
def modules_are_not_forced(script: Script) -> Iterator[Problem]:
    """``rmmod -f`` takes a module away while programs use it."""
    for command in script.commands:
        text = " ".join(word.text for word in command.arguments)
        forced = command.name in ("rmmod", "modprobe") and any(
            re.match(r"-\w*f\w*$|--force$", word.text) for word in command.arguments
        )
        if forced and "nvidia" in text and (command.name == "rmmod" or re.search(r"-\w*r|--remove", text)):
            yield Problem(
                place=command.words[0].place,
                message=message(
                    "forcing the module out while something uses it can bring the kernel down",
                    "在仍有程序使用时强制卸载模块，可能导致内核崩溃",
                ),
            )
        if command.name == "nvidia-smi" and command.has("-r", "--gpu-reset"):
            yield Problem(
                place=command.words[0].place,
                message=message(
                    "a reset in a script hits whatever runs on the GPU at that moment",
                    "脚本中的重置会影响当时在该 GPU 上运行的一切",
                ),
                severity=Severity.NOTE,
                certainty=Certainty.POSSIBLE,
                variant="reset",
            )


RULES = (
    the_driver_owns_its_nodes,
    only_own_processes_end,
    modules_are_not_forced,
)
