"""cuda-compiler-missing"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cuda-compiler-missing"


@pytest.mark.parametrize(
    "line",
    [
        "OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
        "FileNotFoundError: [Errno 2] No such file or directory: '/usr/local/cuda/bin/nvcc'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'nvcc'",
        "/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found",
        "bash: nvcc: command not found",
        "sh: 1: nvcc: not found",
    ],
)
def test_fires_where_the_compiler_is_not_found(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "line",
    [
        "FileNotFoundError: [Errno 2] No such file or directory: '/usr/local/cuda:/opt/cuda/bin/nvcc'",
        "nvcc: NVIDIA (R) Cuda compiler driver",
        "nvcc fatal   : Unsupported gpu architecture 'compute_120'",
    ],
)
def test_clear_when_the_compiler_is_there_or_its_path_malformed(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
