"""driver-bug-p2p"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "driver-bug-p2p"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "NVIDIA-SMI 560.35.03   Driver Version: 560.35.03",
                (
                    "# note: torchrun on both cards hangs at the first all_reduce, with "
                    "NCCL_P2P_DISABLE=1 it trains"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "driver: 560",
                "# note: 双卡 NCCL 卡住，关掉 P2P 就能跑",
            ),
        ),
        (
            Certainty.POSSIBLE,
            (("# note: since we updated the driver last week ddp gets stuck, NCCL_P2P_DISABLE=1 helps"),),
        ),
        (
            Certainty.LIKELY,
            (
                "gpu: 2x RTX 4090",
                "driver: 525.60.11",
                "# note: peer copies return zeros",
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
            "# note: all-reduce hangs on two cards, NCCL_P2P_DISABLE=1 works",
            "ACSCtl: SrcValid+ ReqRedir+ CmpltRedir+",
        ),
        (
            "driver: 570.86",
            "# note: NCCL hangs",
        ),
        (
            "nvrtc: error: invalid value for --gpu-architecture (-arch)",
            "gpu: RTX 4090",
            "driver: 525.60.11",
            "# note: NCCL is fine",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
