"""nccl-too-old-for-gpu"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-too-old-for-gpu"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.CERTAIN,
            (
                (
                    "enqueue.cc:124 NCCL WARN cudaArch 1210 ncclMaxSharedMem 140000 exceeds "
                    "device/fn maxSharedMem 101376"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("w1:10:20 [0] enqueue.cc:60 NCCL WARN Cuda failure 500 'named symbol not found'",),
        ),
        (
            Certainty.LIKELY,
            (
                "torch.distributed.DistBackendError: unhandled cuda error",
                "NCCL version 2.21.5+cuda12.4",
                "gpu: 2x RTX 5090",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 换了 B200 之后 all_reduce 报错，升级 NCCL 后正常",),
        ),
        (
            Certainty.LIKELY,
            (
                "nccl: 2.14.3",
                "gpu: 8x H100",
                "ncclUnhandledCudaError: Call to CUDA function failed.",
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
            "NCCL WARN Error while creating shared memory segment /dev/shm/nccl-x (size 9637888)",
            "# note: RTX 5090, small /dev/shm",
        ),
        (
            "NCCL version 2.27.3+cuda12.9",
            "unhandled cuda error",
            "gpu: RTX 5090",
        ),
        (("# note: GPU Direct is disabled since the upgrade; NCCL too old for peermem on our H100 nodes"),),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
