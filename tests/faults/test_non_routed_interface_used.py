"""non-routed-interface-used"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "non-routed-interface-used"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                (
                    "[nodeb][[100,1],2][btl_tcp_endpoint.c:630:mca_btl_tcp_endpoint_recv_connect_ack]"
                    " received unexpected process identifier [[100,1],3]"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                (
                    "[nodea][[9,1],0][btl_tcp_endpoint.c:790:mca_btl_tcp_endpoint_complete_connect] "
                    "connect() to 172.17.0.1 failed: Connection refused (111)"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "$ mpirun -np 4 -H a:2,b:2 python train.py",
                "# note: hangs, both hosts have a docker0 bridge",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: mpirun 跨两台机器卡住，排除 docker0 网桥之后正常",),
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
            "NCCL INFO Bootstrap : Using [0]lo:127.0.0.1<0>",
            "# note: mpirun hangs on two hosts, docker0 was excluded",
        ),
        ("# note: mpirun fails, python not found",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
