"""
## What it means
The job was given many cores and computes on one. `OMP_NUM_THREADS=1` is in the environment of the
container, although neither job nor image sets it: a hook of the container runtime exports it for every
image that contains PyTorch. Preprocessing, CPU operators and NumPy run on a single thread.

## Why it happens
The hook imitates torchrun, which sets one thread for each of several ranks so that they do not fight for
the cores. It does so also where there is one task with many cores, and before the job's own script runs.
Some images and notebooks bring the same line in an entrypoint.

## When it is not a fault
With one rank for each core, or where all work is on the GPU, one thread is right. torchrun's own notice
"Setting OMP_NUM_THREADS … to be 1 in default" is harmless and another origin.

## What to do
Compare the variable on the node and in the container. Set it in the job script after the container has
started, or call `torch.set_num_threads`. In the hook, `${SLURM_CPUS_PER_TASK:-1}` is a better default
than 1.

## How safe the fix is
More threads than cores make a job slower: number of tasks × threads should not exceed the cores of the
allocation.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried
from codeblue.model.facts import LoaderTrial, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

MANY = 8
"""Processors of the job from which one thread for each process is hardly meant."""


REMEDY = Remedy(
    message("set the number of threads yourself", "自行设置线程数"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "in the job, inside the container: export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK",
                "在任务里、容器内：export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK",
            ),
        ),
        Step(
            Verb.INSTRUCT,
            message(
                "for all jobs: change or remove the hook 50-slurm-pytorch.sh in /etc/enroot/hooks.d",
                "对所有任务：修改或移除 /etc/enroot/hooks.d 里的 50-slurm-pytorch.sh",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.EXACT,
)


@fault(
    "omp-threads-forced-to-one",
    title=Text("The container runtime sets OMP_NUM_THREADS to 1", "容器运行时把 OMP_NUM_THREADS 强制设为 1"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("omp-num-threads-limits-nproc",),
    references=(
        Reference(
            "NVIDIA/enroot#185: a global OMP_NUM_THREADS=1",
            "https://github.com/NVIDIA/enroot/issues/185",
            "2026-12-01",
        ),
        Reference(
            "NVIDIA/enroot: the hook 50-slurm-pytorch.sh",
            "https://github.com/NVIDIA/enroot/blob/master/conf/hooks/extra/50-slurm-pytorch.sh",
            "2026-12-01",
        ),
        Reference(
            "PyTorch: CPU threading",
            "https://docs.pytorch.org/docs/stable/notes/cpu_threading_torchscript_inference.html",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                "OMP_NUM_THREADS",
                r"enroot|pyxis|50-slurm-pytorch|--container-image|hooks?\.d\b|prolog hook",
            ),
            none=(r"\bnproc\b",),
        ),
        Clue(
            all=(
                r'OMP_NUM_THREADS\W{0,4}(?:=|:|is|to|为|设为)? ?"?1\b'
                r"|OMP_NUM_THREADS.{0,40}(?:to (?:1|one)\b|one thread|single)",
                r"\bhooks?\b|entrypoint|container|\bimage\b|docker|singularity|apptainer|钩子|容器|镜像",
                r"slow|single[- ]thread|one (?:thread|core|cpu)|only (?:1|one)\b|under-?utili[sz]"
                "|idle cores|cpus-per-task|performance|很慢|变慢|单线程|一个核|只用",
            ),
            none=(
                "Setting OMP_NUM_THREADS environment variable for each process|torchrun"
                r"|torch\.distributed\.(?:run|launch)|\bnproc\b|oversubscri",
                r'OMP_NUM_THREADS ?= ?"?1\b.{0,60}(?:fix|help|solv|faster|works|improv|better|解决'
                "|更快|正常)",
            ),
        ),
        Clue(
            all=(
                r'OMP_NUM_THREADS\W{0,4}(?:=|:|is|to|为|设为)? ?"?1\b|(?:printf|echo'
                "|export).{0,12}OMP_NUM_THREADS",
                r"50-slurm-pytorch|hooks?\.d\b|prolog hook",
                r"get_num_threads|slow|(?:takes?|took|needs?) .{0,12}(?:times|\dx|longer)"
                "|single[- ]thread|one (?:thread|core)|很慢|变慢|慢了|单线程|一个核",
            ),
        ),
    ),
    remedy=REMEDY,
    next_command="srun env | grep OMP_NUM_THREADS; srun --container-image=IMAGE env "
    "| grep OMP_NUM_THREADS; ls /etc/enroot/hooks.d",
)
def omp_threads_forced_to_one(
    sightings: Sightings | None = None, *, loader_trial: LoaderTrial | None = None
) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or not was_read(found.row, "processors"):
        return
    processors = found.row.processors
    if processors.variables.get("OMP_NUM_THREADS") != "1" or processors.allowed < MANY:
        return
    where = f"{found.path}.processors"
    yield Hit(
        subject="env:OMP_NUM_THREADS",
        kind=Kind.RISK,
        severity=Severity.NOTE,
        certainty=Certainty.LIKELY,
        summary=message(
            "OMP_NUM_THREADS=1: each process computes on one of {allowed} processors",
            "OMP_NUM_THREADS=1：每个进程只用 {allowed} 个处理器中的一个计算",
            allowed=processors.allowed,
        ),
        because=cite(f"{where}.variables[OMP_NUM_THREADS]", f"{where}.allowed"),
    )
