"""nvlink-bridge-not-seated"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nvlink-bridge-not-seated"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            (
                (
                    "# note: NCCL hung; the NVLink bridge could not be pushed down fully because of "
                    "the water block"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: NVLink 桥没插到位，一侧接触不良，nvidia-smi 很慢",),
        ),
        (
            Certainty.POSSIBLE,
            (
                "Link 0: <inactive>",
                "Link 1: 25.781 GB/s",
                "gpu: 2x RTX 2080 Ti",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "GPU0  X  NV2",
                "NCCL version 2.6.4+cuda10.1",
                "NVLink bridge 3-slot",
                "# note: unplugged and plugged in again, it had sat loose on one card",
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
        ("# note: two cards without an NVLink bridge, one is not plugged in properly",),
        (
            "GPU0  X  NV12",
            "# note: NCCL hangs",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
