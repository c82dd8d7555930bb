"""Which nvcc torch takes to build extensions.

Source: torch.utils.cpp_extension, ``_check_cuda_version``: another major version is an error, another
minor version a warning.
"""

from enum import Enum

from codeblue.knowledge.versions import parts


class Match(Enum):
    """How the release of an nvcc relates to the CUDA that torch was built with."""

    SAME = "same"
    MINOR = "minor"
    """torch warns and builds."""
    MAJOR = "major"
    """torch refuses to build."""


def match(nvcc: str, cuda: str) -> Match:
    """Return how an nvcc (``12.4.131``) relates to the CUDA of torch (``12.6``).

    Raises ValueError if one of them does not begin with a number.
    """
    ours, theirs = (*parts(nvcc), 0)[:2], (*parts(cuda), 0)[:2]
    if ours[0] != theirs[0]:
        return Match.MAJOR
    return Match.SAME if ours == theirs else Match.MINOR
