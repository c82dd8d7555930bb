"""A plan as a shell script that stops where the machine is no longer as the preview saw it."""

import shlex
from collections.abc import Iterator

from codeblue.model.plan import Plan, PlannedStep, Refused
from codeblue.model.remedy import Risk, Verb
from codeblue.model.text import Text
from codeblue.remedy.render.checks import checks
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
    yield from (f"#   {line[2:]}" for shown in step.shows for line in comments(shown))
    try:
        typed = _typed(step)
    except Refused as refused:
        yield from comments(refused.line.say(lang))
        return
    if step.verb in OUTSIDE or step.risk is Risk.HUMAN or typed is None:
        yield from comments(typed.replace("\n", " ") if typed else not_here(step, lang))
        return
    for check in checks(step):
        yield f"{{ {check}; }} || stop {shlex.quote(CHANGED.say(lang, number=number, verb=step.verb.value))}"
    yield typed


def _typed(step: PlannedStep) -> str | None:
    if step.shows and step.shows[0].startswith("--- "):
        return _patch(step)
    return command(step, unattended=True)


def _patch(step: PlannedStep) -> str:
    """Return a command that applies the difference of the preview, and nothing else."""
    path = step.shows[1].removeprefix("+++ ").split("\t")[0]
    difference = "".join(f"{line}\n" for line in step.shows)
    sudo = "sudo " if step.root else ""
    return f"printf %s {shlex.quote(difference)} | {sudo}patch --fuzz=0 --forward -- {shlex.quote(path)}"
