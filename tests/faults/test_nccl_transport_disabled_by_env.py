"""nccl-transport-disabled-by-env"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-transport-disabled-by-env"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "NCCL INFO NCCL_IB_DISABLE set by environment to 1.",
                "# note: only 2 GB/s between two H100 servers",
            ),
        ),
        (
            Certainty.LIKELY,
            ("NCCL WARN No transport found for rank 0[1000] -> rank 1[2000]",),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 镜像里残留了 NCCL_P2P_DISABLE=1，NVLink 没用上，带宽很低",),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL_P2P_DISABLE=1",
                "NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct",
                "gpu: 8x A100 SXM4",
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
            "NCCL_P2P_DISABLE=1 python train.py",
            "# note: all-reduce hangs otherwise, bandwidth is low",
        ),
        ("NCCL INFO NCCL_IB_DISABLE set by environment to 0.",),
        ("# note: deadlocks; NCCL_P2P_DISABLE=1 makes it run",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
