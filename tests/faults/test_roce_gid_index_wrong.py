"""roce-gid-index-wrong"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "roce-gid-index-wrong"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            (
                (
                    "t-1:9:9 [0] transport/net_ib.cc:800 NCCL WARN NET/IB : Got completion with "
                    "error 12, opcode 0, len 0, vendor err 129"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                (
                    "NCCL WARN NET/IB : Got completion from peer 10.0.0.5<41000> with status=12 "
                    "opcode=0 len=0 vendor err 129 (Send)"
                ),
                "# note: RoCE, the two servers hang on separate switches",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 把 NCCL_IB_GID_INDEX 设为 3 之后 RoCE 通信正常，之前一直超时",),
        ),
        (
            Certainty.LIKELY,
            (
                "Call to ibv_modify_qp failed with error No data available",
                "# note: show_gids lists only link-local entries at 0 and 1",
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
        ("NCCL WARN NET/IB : Got completion with error 4, opcode 0, len 0, vendor err 81",),
        (
            "NCCL_IB_GID_INDEX=3",
            "NCCL INFO Using network IB",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
