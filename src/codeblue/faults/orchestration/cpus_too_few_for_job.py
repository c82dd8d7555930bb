"""
## What it means
The machine has many processors, and the job may use only a few of them for its GPUs. Each GPU is driven
by a process that is busy itself; the workers of a DataLoader, the thread that pins memory and NCCL's
threads need processors beside it. The GPU is at 0 % most of the time.

## Why it happens
Affinity: Slurm binds each task to `--cpus-per-task` processors, one by default, and since 22.05 `srun`
does not take the number from the header; `taskset`, `mpirun --bind-to core` or a library that sets the
mask do the same. Quota: `docker --cpus`, `resources.limits.cpu` of Kubernetes, `CPUQuota=` of systemd;
the job still sees all processors of the host and opens as many threads.

## When it is not a fault
A job whose data lies on the GPU, or inference with ready tensors, runs on one processor. A quota of at
least four processors for each GPU is not called few here. A machine that has no more is not judged.

## What to do
Slurm: `--cpus-per-task=8` for each task with one GPU, and `export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK`.
mpirun: `--bind-to none`, or `--map-by socket:PE=8`. Kubernetes: raise `limits.cpu`, or leave it out and set
`requests.cpu`. docker: `--cpus`, `--cpuset-cpus`. Then run `codeblue trial loader` again.

## How safe the fix is
The job takes processors that others may be using: ask for them in the scheduler rather than widen the
mask by hand.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried
from codeblue.model.facts import Cuda, LoaderTrial, Processors
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

ENOUGH = 4
"""Processors for each GPU below which a job is short: its process, the thread that pins, two workers."""

MORE = Remedy(
    message("ask for more processors for the job", "为任务申请更多处理器"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "Slurm: --cpus-per-task=8 and SRUN_CPUS_PER_TASK; mpirun: --bind-to none; Kubernetes: raise "
                "limits.cpu; docker: --cpus, --cpuset-cpus",
                "Slurm：--cpus-per-task=8 并设置 SRUN_CPUS_PER_TASK；mpirun：--bind-to none；"
                "Kubernetes：提高 limits.cpu；docker：--cpus、--cpuset-cpus",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "cpus-too-few-for-job",
    title=Text("The job may use too few processors for its GPUs", "任务可用的处理器太少，喂不饱 GPU"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=("data-loader-does-not-scale", "cpu-thread-oversubscription"),
    references=(
        Reference("Slurm: srun, --cpus-per-task", "https://slurm.schedmd.com/srun.html", "2026-12-01"),
        Reference(
            "Kubernetes: CPU limits are enforced by throttling",
            "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
            "2026-12-01",
        ),
        Reference(
            "Linux: control group v2, cpu.max",
            "https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files",
            "2026-12-01",
        ),
    ),
    remedy=MORE,
    next_command="nproc; nproc --all; cat /sys/fs/cgroup/cpu.max; "
    "scontrol show job $SLURM_JOB_ID | grep -i cpus",
)
def cpus_too_few_for_job(loader_trial: LoaderTrial, cuda: Cuda) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or not was_read(found.row, "processors"):
        return
    processors, gpus = found.row.processors, len(cuda.devices)
    where = f"{found.path}.processors"
    if not gpus or processors.online < 2 * ENOUGH:
        return
    quota = processors.quota
    if processors.allowed < min(processors.online, ENOUGH * gpus):
        yield _by_affinity(processors, gpus, where)
    elif quota is not None and quota < min(processors.allowed, ENOUGH * gpus):
        yield _by_quota(quota, processors, gpus, where)


def _by_affinity(processors: Processors, gpus: int, where: str) -> Hit:
    bare = processors.allowed <= gpus
    return Hit(
        subject="cpus",
        variant="affinity",
        kind=Kind.TROUBLE if bare else Kind.RISK,
        certainty=Certainty.CERTAIN if processors.allowed == 1 else Certainty.LIKELY,
        summary=message(
            "the job may use {allowed} of {online} processors (mask {mask}) for its {gpus} GPU(s)",
            "任务只能用 {online} 个处理器中的 {allowed} 个（掩码 {mask}），却要供 {gpus} 块 GPU",
            allowed=processors.allowed,
            online=processors.online,
            mask=processors.mask,
            gpus=gpus,
        ),
        because=cite(f"{where}.allowed", f"{where}.online", f"{where}.mask"),
    )


def _by_quota(quota: float, processors: Processors, gpus: int, where: str) -> Hit:
    return Hit(
        subject="cpus",
        variant="quota",
        kind=Kind.TROUBLE if quota <= gpus else Kind.RISK,
        certainty=Certainty.LIKELY,
        summary=message(
            "the job sees {allowed} processors and may use the time of {quota} of them for its {gpus} GPU(s)",
            "任务看到 {allowed} 个处理器，但配额只有 {quota} 个的时间，却要供 {gpus} 块 GPU",
            allowed=processors.allowed,
            quota=f"{quota:g}",
            gpus=gpus,
        ),
        because=cite(f"{where}.quota", f"{where}.quota_source", f"{where}.allowed"),
    )
