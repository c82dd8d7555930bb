"""A plan as a shell script that stops where the machine is no longer as the preview saw it."""

import shlex
from collections.abc import Iterator

from codeblue.model.plan import Plan, PlannedStep, Refused
from codeblue.model.remedy import Risk, Verb
from codeblue.model.text import Text
from codeblue.remedy.render.checks import checks, content, files
from codeblue.remedy.render.differences import differences
from codeblue.remedy.render.texts import HUMAN, about, comments, head, not_here, why
from codeblue.remedy.shell import command

CHANGED = Text(
    "step {number} ({verb}): the machine is no longer as in the preview; nothing more is done",
    "第 {number} 步（{verb}）：机器已与预览时不同；不再继续",
)

START = (
    "set -eu",
    "stop() { printf '%s\\n' \"$1\" >&2; exit 1; }",
    "# root needs no sudo, and may not have it",
    '[ "$(id -u)" -ne 0 ] || sudo() { "$@"; }',
)

MENU = (
    "if command -v update-grub > /dev/null; then sudo update-grub; "
    "else sudo grub2-mkconfig -o /boot/grub2/grub.cfg; fi"
)

BY_DIFFERENCE = frozenset(
    (
        Verb.FILE_EDIT,
        Verb.ENV_SET,
        Verb.ENV_UNSET,
        Verb.LIMIT_RAISE,
        Verb.KERNELSPEC_PYTHON,
        Verb.KERNEL_PARAMETER,
    )
)
"""Verbs that change a few lines of a file: what is run is the difference that was shown."""

OUTSIDE = HUMAN | {Verb.CONTAINER_FLAGS, Verb.POD_PATCH}
"""Told as comments: a script on this machine cannot do them."""


def render(plan: Plan, lang: str) -> str:
    """Return the script in POSIX shell; comments and messages are in ``lang``."""
    lines = ["#!/bin/sh", *head(plan, lang), *START]
    number = 0
    for item in plan.items:
        lines += ["", *comments(f"== {about(item, lang)}")]
        for step in item.steps:
            number += 1
            lines += ["", *comments(f"{number}. {why(step, lang)}"), *_step(step, number, lang)]
    return "\n".join(lines) + "\n"


def _step(step: PlannedStep, number: int, lang: str) -> Iterator[str]:
    yield from (f"#   {line[2:]}" for shown in step.preview(lang) for line in comments(shown))
    try:
        typed = _typed(step)
    except Refused as refused:
        yield from comments(refused.line.say(lang))
        return
    if step.verb in OUTSIDE or step.risk is Risk.HUMAN or not typed:
        yield from comments(" ".join(typed).replace("\n", " ") or not_here(step, lang))
        return
    stop = f"stop {shlex.quote(CHANGED.say(lang, number=number, verb=step.verb.value))}"
    yield from (f"{{ {check}; }} || {stop}" for check in checks(step))
    yield from typed
    if step.verb in BY_DIFFERENCE:
        yield from (f"{{ {content(one['path'], one['after'])}; }} || {stop}" for one in files(step))


def _typed(step: PlannedStep) -> list[str]:
    """Return the commands of a step. Raises Refused."""
    sudo = "sudo " if step.root else ""
    patches = [_patch(path, text, sudo) for path, text in differences(step.shows)]
    if step.verb is Verb.KERNEL_PARAMETER:
        return [*patches, MENU] if patches else []
    if step.verb in BY_DIFFERENCE and patches:
        return patches
    if step.verb is Verb.FILE_WRITE:
        return _write(step, sudo)
    typed = command(step, unattended=True)
    return [typed] if typed else []


def _patch(path: str, difference: str, sudo: str) -> str:
    """Return a command that applies the difference of the preview, and nothing else."""
    return f"printf %s {shlex.quote(difference)} | {sudo}patch --fuzz=0 --forward -- {shlex.quote(path)}"


def _write(step: PlannedStep, sudo: str) -> list[str]:
    path, content = shlex.quote(step.args["path"]), shlex.quote(step.args["content"])
    lines = [
        f'{sudo}mkdir -p -- "$(dirname -- {path})"',
        f"printf %s {content} | {sudo}tee -- {path} > /dev/null",
    ]
    if "mode" in step.args:
        lines.append(f"{sudo}chmod -- {shlex.quote(step.args['mode'])} {path}")
    return lines
