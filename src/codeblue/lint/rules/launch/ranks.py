"""Do processes, tasks and GPUs of a launch line agree?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.header import gpus_per_node, tasks_per_node
from codeblue.lint.rules.launch.launchers import Launch, launches, processes, set_before
from codeblue.model.config.shell import Script, Word
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

INDEXES = re.compile(r"\d+(?:,\d+)*$")


@rule("more-ranks-than-gpus")
def ranks_have_gpus(script: Script) -> Iterator[Problem]:
    """A launcher starts no more processes than the variable or the Slurm header gives GPUs."""
    for one in launches(script):
        wanted = processes(script, one)
        if wanted is not None and "cpu" not in script.source.text.lower():
            yield from _too_many(script, one, *wanted)


def _too_many(script: Script, one: Launch, word: Word, count: int) -> Iterator[Problem]:
    visible = set_before(script, one.command, "CUDA_VISIBLE_DEVICES")
    given = gpus_per_node(script)
    if visible is not None and visible.value is not None and INDEXES.match(visible.value):
        gpus, who = len(set(visible.value.split(","))), f"CUDA_VISIBLE_DEVICES={visible.value}"
    elif given is not None and visible is None:
        gpus, who = given[1], f"#SBATCH {given[0].option}={given[0].value}"
    else:
        return
    if count > gpus:
        yield Problem(
            place=word.place,
            message=message(
                "{count} processes on a node, but {who} gives {gpus} GPU(s)",
                "每个节点启动 {count} 个进程，但 {who} 只给出 {gpus} 块 GPU",
                count=count,
                who=who,
                gpus=gpus,
            ),
            certainty=Certainty.LIKELY,
            variant="visible" if visible else "slurm",
        )


@rule("slurm-task-count-mismatch")
def one_launcher_a_node(script: Script) -> Iterator[Problem]:
    """``srun torchrun`` needs one task a node: the launcher itself starts the processes."""
    for one in launches(script):
        wanted = processes(script, one)
        tasks = tasks_per_node(script, one.before) if one.before.name == "srun" else None
        if wanted is None or tasks is None or wanted[1] < 2 or tasks[1] < 2:
            continue
        yield Problem(
            place=one.command.words[0].place,
            message=message(
                "srun starts {tasks} launchers on a node and each of them {count} processes: "
                "--ntasks-per-node=1 is wanted with {tool}",
                "srun 在每个节点启动 {tasks} 个启动器，每个又启动 {count} 个进程："
                "配合 {tool} 应写 --ntasks-per-node=1",
                tasks=tasks[1],
                count=wanted[1],
                tool=one.tool,
            ),
            certainty=Certainty.LIKELY,
        )


RULES = (ranks_have_gpus, one_launcher_a_node)
