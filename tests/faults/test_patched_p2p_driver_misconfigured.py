"""patched-p2p-driver-misconfigured"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "patched-p2p-driver-misconfigured"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            ("CUDA error: mapping of buffer object failed",),
        ),
        (
            Certainty.LIKELY,
            (
                "CUDA error: an illegal memory access was encountered",
                "# note: two 3090 with the patched driver that enables P2P, NCCL all-reduce",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 4090 打了 P2P 补丁，NCCL 结果错，BIOS 里没有开 Resizable BAR",),
        ),
        (
            Certainty.LIKELY,
            (
                "Device=0 CAN Access Peer Device=1",
                "Verification error @ element 1: val = 0.0",
                "gpu: 2x RTX 5090",
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
            "Device=0 CAN Access Peer Device=1",
            "# note: all-reduce hangs, GTX 1080 Ti, plain driver",
        ),
        (
            "CUDA error: an illegal memory access was encountered",
            "gpu: RTX 4090",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
