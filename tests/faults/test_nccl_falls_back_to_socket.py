"""nccl-falls-back-to-socket"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-falls-back-to-socket"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            (
                "NCCL INFO Using network Socket",
                "# note: the nodes are connected with RoCE, ib_write_bw is fine",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL INFO NET/Plugin: Could not find: libnccl-net.so",
                "# note: p5.48xlarge, EFA is not used and the run is slow",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: NCCL 走的是 TCP，而不是 IB 网，带宽只有 1 GB/s",),
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
            "NCCL INFO Using network Socket",
            "# note: single node",
        ),
        (
            "NCCL INFO Using network Socket",
            "NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
