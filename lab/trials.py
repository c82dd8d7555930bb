"""Experiments with ``codeblue trial``: what slows a GPU down or makes it compute otherwise."""

from lab.experiment import Experiment

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

TRIALS = (
    Experiment(name="trial-healthy", expect=None, trial=("gpu", "memory")),
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
