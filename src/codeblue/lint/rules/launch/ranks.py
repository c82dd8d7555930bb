"""Do processes, tasks and GPUs of a launch line agree?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.header import gpus_per_node, long, tasks_per_node
from codeblue.lint.rules.launch.launchers import assigned, launches, processes, set_before
from codeblue.model.config.setting import Setting
from codeblue.model.config.shell import Directive, Script, Word
from codeblue.model.facts import Nvml
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

VISIBLE = "CUDA_VISIBLE_DEVICES"
INDEXES = re.compile(r"\d+(?:,\d+)*$")


@rule("more-ranks-than-gpus")
def ranks_have_gpus(script: Script) -> Iterator[Problem]:
    """A launcher starts no more processes than the variable or the Slurm header gives GPUs."""
    if "cpu" in script.source.text.lower():
        return
    known = assigned(script)
    for one in launches(script):
        wanted = processes(known, one)
        if wanted is not None:
            yield from _too_many(script, set_before(known, one.command, VISIBLE), *wanted)


def _too_many(script: Script, visible: Setting | None, word: Word, count: int) -> Iterator[Problem]:
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


@rule("more-ranks-than-gpus")
def ranks_fit_the_machine(script: Script, nvml: Nvml) -> Iterator[Problem]:
    """A launcher starts no more processes than the machine has GPUs."""
    gpus = nvml.count or 0
    known = assigned(script)
    for one in launches(script):
        wanted = processes(known, one)
        # With another number of GPUs than the header asks for, the machine is not one that the job is for.
        given = gpus_per_node(script)
        if wanted is not None and 0 < gpus < wanted[1] and (given is None or given[1] == gpus):
            yield Problem(
                place=wanted[0].place,
                message=message(
                    "{count} processes on a node, but this machine has {gpus} GPU(s)",
                    "每个节点启动 {count} 个进程，但这台机器只有 {gpus} 块 GPU",
                    count=wanted[1],
                    gpus=gpus,
                ),
                certainty=Certainty.LIKELY,
                variant="machine",
            )


@rule("slurm-task-count-mismatch")
def one_launcher_a_node(script: Script) -> Iterator[Problem]:
    """``srun torchrun`` needs one task a node: the launcher itself starts the processes."""
    known = assigned(script)
    for one in launches(script):
        wanted = processes(known, one)
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
            fix=_one_task(tasks[0]),
        )


def _one_task(asked: Directive | None) -> Fix | None:
    if asked is None or long(asked) != "--ntasks-per-node" or asked.value_place is None:
        return None
    return Fix(
        message("start one task on a node", "每个节点启动一个任务"),
        (Edit(asked.value_place, "1"),),
    )


RULES = (ranks_have_gpus, ranks_fit_the_machine, one_launcher_a_node)
