"""Does Slurm hold jobs to their GPUs, and do its files belong together?"""

from collections.abc import Iterator

from codeblue.knowledge import config_keys
from codeblue.lint.rule import rule
from codeblue.model.config.lines import Entry, Slurm
from codeblue.model.facts import Host
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

MEBIBYTE = 1 << 20


def gpus_in(file: Slurm) -> bool:
    """Tell whether ``slurm.conf`` or ``gres.conf`` speaks of GPUs."""
    types = file.last("GresTypes")
    return (types is not None and "gpu" in types.value) or any(
        one.value.lower() == "gpu" or "gpu:" in one.value.lower()
        for line in file.lines
        for one in line
        if one.name.lower() in ("name", "gres")
    )


@rule("slurm-config-key-unknown")
def keys_are_known(file: Slurm) -> Iterator[Problem]:
    """A daemon of Slurm ends at the first key that it does not know."""
    for line in file.lines:
        for one in line:
            right = config_keys.meant(file.name, one.name, any_case=True)
            if right:
                yield Problem(
                    place=one.place,
                    message=message(
                        "Slurm knows no {name} and does not start; {right} is meant",
                        "Slurm 不认识 {name}，会无法启动；应为 {right}",
                        name=one.name,
                        right=right,
                    ),
                    fix=Fix(message("write {right}", "改为 {right}", right=right), (Edit(one.place, right),)),
                )


@rule("slurm-cgroup-devices-not-constrained")
def devices_are_constrained(file: Slurm) -> Iterator[Problem]:
    """``cgroup.conf`` of a cluster with GPUs; alone it tells less."""
    if file.name != "cgroup.conf" or (file.beside and not any(map(gpus_in, file.beside.values()))):
        return
    one = file.last("ConstrainDevices")
    if one is not None and one.value.lower() in ("yes", "true", "1", "up"):
        return
    constrains = [line[0] for line in file.lines if line[0].name.lower().startswith("constrain")]
    where = one or (constrains or [file.lines[0][0]])[0] if file.lines else None
    if where is not None:
        yield Problem(
            place=where.value_place if one else where.place,
            kind=Kind.RISK,
            severity=Severity.WARNING,
            certainty=Certainty.CERTAIN if file.beside else Certainty.POSSIBLE,
            message=message(
                "without ConstrainDevices=yes a job can open every GPU of the node",
                "没有 ConstrainDevices=yes，作业可以打开节点上的所有 GPU",
            ),
            fix=Fix(message("say yes", "改为 yes"), (Edit(one.value_place, "yes"),)) if one else None,
        )


@rule("slurm-cgroup-devices-not-constrained")
def tasks_are_in_cgroups(file: Slurm) -> Iterator[Problem]:
    """Only the plugin task/cgroup constrains devices."""
    if file.name != "slurm.conf" or not gpus_in(file):
        return
    plugin = file.last("TaskPlugin")
    types = file.last("GresTypes")
    where = plugin or types
    if where is not None and (plugin is None or "cgroup" not in plugin.value.lower()):
        yield Problem(
            place=where.value_place if plugin else where.place,
            variant="task-plugin",
            kind=Kind.RISK,
            severity=Severity.WARNING,
            certainty=Certainty.LIKELY,
            message=message(
                "without task/cgroup ConstrainDevices does nothing, and a job can open every GPU",
                "TaskPlugin 没有 task/cgroup，ConstrainDevices 不起作用，作业可以打开所有 GPU",
            ),
        )


@rule("slurm-processes-not-tracked", pedantic=True)
def processes_are_tracked(file: Slurm) -> Iterator[Problem]:
    """Without cgroups, processes that leave their session outlive the job."""
    one = file.last("ProctrackType")
    if (
        file.name == "slurm.conf"
        and gpus_in(file)
        and one is not None
        and one.value.lower() != "proctrack/cgroup"
    ):
        yield Problem(
            place=one.value_place,
            message=message(
                "with {plugin} processes that leave their group outlive the job and keep its GPU",
                "使用 {plugin} 时，脱离进程组的进程会在作业结束后继续占用 GPU",
                plugin=one.value,
            ),
            fix=Fix(
                message("write proctrack/cgroup", "改为 proctrack/cgroup"),
                (Edit(one.value_place, "proctrack/cgroup"),),
            ),
        )


@rule("slurm-node-memory-overstated")
def memory_is_there(file: Slurm, host: Host) -> Iterator[Problem]:
    """Only a file with one kind of node can be compared with one machine."""
    found = [one for line in file.starting("NodeName") for one in line if one.name.lower() == "realmemory"]
    if len({one.value for one in found}) != 1 or not found[0].value.isdigit():
        return
    there = host.memory_bytes // MEBIBYTE
    if int(found[0].value) > there:
        yield Problem(
            place=found[0].value_place,
            message=message(
                "RealMemory is {said} MB, the node has {there} MB: Slurm drains it",
                "RealMemory 为 {said} MB，节点只有 {there} MB：Slurm 会把它置为 drain",
                said=found[0].value,
                there=there,
            ),
            fix=_lowered(found[0], there),
        )


def _lowered(one: Entry, there: int) -> Fix:
    return Fix(message("write what the node has", "改为节点实际的内存"), (Edit(one.value_place, str(there)),))


RULES = (
    keys_are_known,
    devices_are_constrained,
    tasks_are_in_cgroups,
    processes_are_tracked,
    memory_is_there,
)
