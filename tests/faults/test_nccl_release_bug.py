"""nccl-release-bug"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-release-bug"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "nccl: 2.27.3",
                "gpu: 16x GH200",
                "# note: training hangs silently after some hours",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "#1 ncclLocalOpAppend () from libnccl.so.2",
                "# note: one rank is stuck there",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 多机训练随机卡住，NCCL 升级到 2.29 之后正常",),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: segfault in all_to_all, gone after we downgraded NCCL from 2.20 to 2.18",),
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
            "nccl: 2.30.7",
            "gpu: 16x GH200",
            "# note: training hangs",
        ),
        ("# note: the run hangs with NCCL 2.18 on x86 machines",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
