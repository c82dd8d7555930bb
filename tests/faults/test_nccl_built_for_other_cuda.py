"""nccl-built-for-other-cuda"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-built-for-other-cuda"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            ("ImportError: libtorch_cuda.so: undefined symbol: ncclCommWindowRegister",),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL version 2.19.3+cuda12.3",
                "Test NCCL failure common.cu:900 'unhandled cuda error'",
                "nvcc: release 11.4, V11.4.100",
                "# note: libnccl2 was built for another CUDA, versions mismatch",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: NCCL 与 CUDA 版本不匹配，all_reduce_perf 报错",),
        ),
        (
            Certainty.LIKELY,
            (
                "nvidia-nccl-cu11==2.14.3",
                "torch: 2.4.0+cu121",
                "NCCL error: unhandled cuda error",
            ),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NCCL version 2.19.3+cuda12.3",
            "unhandled cuda error",
        ),
        (
            ("ncclSocketInit: connecting to address with family 0 is neither AF_INET(2) nor AF_INET6(10)"),
            "nvidia-nccl-cu11==2.14.3",
            "nvidia-nccl-cu12==2.20.5",
        ),
        ("RuntimeError: CUDA driver version is insufficient for CUDA runtime version",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
