"""p2p-peer-limit-used-by-xorg"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "p2p-peer-limit-used-by-xorg"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            ("allocator.cc:79 NCCL WARN Cuda failure 711 'peer mapping resources exhausted'",),
        ),
        (
            Certainty.LIKELY,
            (
                "CUDA_ERROR_TOO_MANY_PEERS: peer mapping resources exhausted",
                "# note: gone after lightdm was stopped",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 八卡机器开着图形界面时 NCCL 报错，关掉 Xorg 之后正常",),
        ),
        (
            Certainty.LIKELY,
            (
                "Segmentation fault (core dumped)",
                "# note: nccl-tests with all cards, Xorg is running on them",
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
            "Segmentation fault (core dumped)",
            "# note: Xorg is running",
        ),
        (
            "NCCL WARN Cuda failure 'out of memory'",
            "# note: desktop with two cards",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
