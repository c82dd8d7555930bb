"""Can the commands of a playbook run twice, and does anybody look at how they end?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.ansible import Play, Task
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

APPENDS = re.compile(
    r"^(?!.*\bgrep\b).*>>[ \t]*[\"']?(/etc/(?:default/grub|modprobe\.d|environment|profile|security|docker"
    r"|sysctl|modules|fstab|hosts|bash\.bashrc|ld\.so\.conf|udev)[\w./-]*|[~\w/$}{]*/\.(?:bashrc|profile|bash_profile|zshrc))",
    re.MULTILINE,
)
CHECK = re.compile(r"^\s*(?:/usr/bin/)?nvidia-smi\b[^|&;\n]*(\|\|[ \t]*(?:true|:)[ \t]*)?$")


@rule("playbook-appends-every-run")
def files_do_not_grow(task: Task) -> Iterator[Problem]:
    """``echo … >> /etc/…`` adds the line again at each run."""
    if task.free is None or task.conditional or task.get("creates") or task.free.source is None:
        return
    found = APPENDS.search(task.free.text)
    if found is not None:
        source = task.free.source
        yield Problem(
            place=source.place(*found.span(1)),
            message=message(
                "each run adds the line to {file} once more; lineinfile or a file of its own does not",
                "每次运行都会在 {file} 里再追加一行；应使用 lineinfile 或单独的文件",
                file=found[1],
            ),
            certainty=Certainty.LIKELY,
        )


@rule("gpu-check-result-ignored")
def checks_are_looked_at(play: Play) -> Iterator[Problem]:
    """A check with ``nvidia-smi`` that may fail is looked at by somebody."""
    texts = [one.text for task in play.all for one in task.root.walk() if one.kind == "string"]
    for task in play.tasks:
        found = CHECK.match(task.free.text) if task.free is not None else None
        if found is None or not (_ignored(task) or found[1]):
            continue
        name = task.root.say("register")
        used = name and any(
            re.search(rf"(?<![-\w]){re.escape(name)}\b", text) for text in texts if text != name
        )
        # It also makes the device nodes; who looks for those looks at what came of it.
        looked_for = any("/dev/nvidia" in text for text in texts)
        # Elsewhere in a role another file may ask for it.
        if not used and not looked_for and not (name and play.included):
            yield Problem(
                place=task.key.place,
                message=message(
                    "nvidia-smi may fail here and nobody looks at it: a host without a working GPU passes",
                    "这里 nvidia-smi 失败也没有人查看：GPU 不能用的主机照样通过",
                ),
                certainty=Certainty.LIKELY,
            )


def _ignored(task: Task) -> bool:
    return task.root.say("ignore_errors").lower() in ("true", "yes") or task.root.say(
        "failed_when"
    ).lower() in (
        "false",
        "no",
    )


RULES = (files_do_not_grow, checks_are_looked_at)
