"""Does a job of Slurm take the GPUs that Slurm gave it?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.header import asked, gpus_per_node, header
from codeblue.model.config.setting import Setting
from codeblue.model.config.shell import Script
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

NAME = "CUDA_VISIBLE_DEVICES"


@rule("cuda-visible-devices-hard-coded")
def slurm_chooses_the_gpus(script: Script) -> Iterator[Problem]:
    """A job that has some GPUs of a node does not name others."""
    for one in _fixed(script):
        if not _is_whole(script, one):
            yield _problem(one, Certainty.LIKELY)


@rule("cuda-visible-devices-hard-coded", pedantic=True)
def slurm_numbers_the_gpus(script: Script) -> Iterator[Problem]:
    """Even the right list is right only while the header stays as it is."""
    for one in _fixed(script):
        if _is_whole(script, one):
            yield _problem(one, Certainty.POSSIBLE)


def _fixed(script: Script) -> Iterator[Setting]:
    if header(script):
        every = (*script.settings, *(one for command in script.commands for one in command.assigned))
        yield from (
            one for one in every if one.name == NAME and re.fullmatch(r"\d+(?:,\d+)*", one.value or "")
        )


def _is_whole(script: Script, one: Setting) -> bool:
    """Tell whether the list names GPUs that were asked for, or the whole node is the job's."""
    indexes = [int(index) for index in (one.value or "").split(",")]
    given = gpus_per_node(script)
    if given is None or asked(script, "--exclusive"):
        return True
    return max(indexes) < given[1]


def _problem(one: Setting, certainty: Certainty) -> Problem:
    return Problem(
        place=one.place,
        message=message(
            "Slurm sets CUDA_VISIBLE_DEVICES for the job; {value} puts fixed numbers in its place",
            "Slurm 会为作业设置 CUDA_VISIBLE_DEVICES；这里却写死为 {value}",
            value=one.value,
        ),
        certainty=certainty,
    )


RULES = (slurm_chooses_the_gpus, slurm_numbers_the_gpus)
