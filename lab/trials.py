"""Experiments with ``codeblue trial``: what slows a GPU down or makes it compute otherwise."""

import os

from lab import injections as do
from lab.experiment import Experiment, Stage

FLIPPED = """
real, calls = module.mm, []
def mm(*arguments, **named):
    result = real(*arguments, **named)
    calls.append(1)
    if len(calls) > 40:
        result[3, 5] += 1000
    return result
module.mm = mm
"""
"""One value of later products is spoilt, as by a sick chip."""

ROUNDED = """
real = module.nn.functional.conv2d
def conv2d(input, weight, *arguments, **named):
    if input.dtype is module.float32:
        input, weight = (one.bfloat16().float() for one in (input, weight))
    return real(input, weight, *arguments, **named)
module.nn.functional.conv2d = conv2d
module.conv2d = conv2d
"""
"""Convolutions of float32 lose most of their digits, as with a library that rounds where nobody asked."""


def one_processor(stage: Stage) -> None:
    """Let the job run on one processor."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    stage.cleanup.append(lambda: os.sched_setaffinity(0, allowed))


TRIALS = (
    Experiment(name="trial-healthy", expect=None, trial=("gpu", "memory")),
    Experiment(name="trial-all", expect=None, trial=("-v",)),
    Experiment(
        name="trial-tf32",
        expect="numerics-changed-by-environment",
        trial=("gpu", "numerics"),
        environment={"NVIDIA_TF32_OVERRIDE": "1"},
    ),
    Experiment(name="trial-rounded", expect="float32-precision-reduced", trial=("numerics",), hook=ROUNDED),
    Experiment(
        name="trial-one-processor", expect="cpus-too-few-for-job", trial=("loader",), inject=one_processor
    ),
    Experiment(name="trial-shm-4m", expect="shm-too-small", trial=("loader",), inject=do.small_shm("4m")),
    Experiment(name="trial-flipped", expect="gpu-results-wrong", trial=("gpu",), hook=FLIPPED),
    Experiment(
        name="trial-neighbour",
        expect="gpu-shared-with-other-process",
        trial=("gpu", "--busy"),
        before="burner",
    ),
    # A GPU that somebody uses is left alone: nothing is measured, and nothing is blamed.
    Experiment(name="trial-busy", expect=None, trial=("gpu",), before="hog"),
)
"""No clocks, limits or modes of a GPU are changed."""
