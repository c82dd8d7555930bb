"""Operations that did not give the same bits again, and whether that may be."""

from enum import Enum

from codeblue.model.facts.trials.numerics import NumericsTried
from codeblue.model.numerics.precision import split, streams, usable


class Why(str, Enum):
    """Why an operation does not repeat its bits."""

    NEVER = "never"
    """It always repeats them in the libraries in use."""
    PROMISED = "promised"
    """It may vary, but torch was told that it must not."""
    TIMED = "timed"
    """The benchmark of cuDNN is on."""
    USUAL = "usual"
    """It may vary by default."""


def unrepeated(device: NumericsTried) -> dict[Why, list[str]]:
    """Return the operations and streams of a device that varied, by why."""
    found: dict[Why, list[str]] = {}
    for name, row in {**usable(device), **streams(device)}.items():
        if row.changed:
            found.setdefault(_why(name, device), []).append(name)
    return found


def may_vary(name: str, device: NumericsTried) -> bool:
    """True for what a GPU sums in any order by default: convolutions, and gradients of attention.

    https://docs.pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
    """
    operation, _ = split(name)
    attention = operation.startswith("attention") and operation.endswith("backward")
    return "gpu" in device.versions and (operation.startswith("convolution") or attention)


def _why(name: str, device: NumericsTried) -> Why:
    if not may_vary(name, device):
        return Why.NEVER
    convolution = name.startswith("convolution")
    flags = device.flags
    every = flags.get("are_deterministic_algorithms_enabled") == "True"
    every = every and flags.get("is_deterministic_algorithms_warn_only_enabled") != "True"
    if every or (convolution and flags.get("cudnn.deterministic") == "True"):
        return Why.PROMISED
    timed = convolution and flags.get("cudnn.benchmark") == "True"
    return Why.TIMED if timed else Why.USUAL
