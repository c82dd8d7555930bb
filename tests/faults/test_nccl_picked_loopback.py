"""nccl-picked-loopback"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-picked-loopback"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            ("n1:3:4 [0] NCCL INFO Bootstrap : Using [0]lo:127.0.0.1<0>",),
        ),
        (
            Certainty.LIKELY,
            (
                "n1:3:4 [0] NCCL INFO NET : Using interface lo:127.0.0.1<0>",
                ("n1:3:4 [1] include/socket.h:360 NCCL WARN Call to connect timeout : Connection refused"),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "mpirun -np 8 -H a:4,b:4 -x NCCL_SOCKET_IFNAME=^docker0 python train.py",
                "# note: it hangs as soon as both hosts take part",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 多机时 NCCL 的接口选成了回环，对端连接超时",),
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
            "NCCL INFO Bootstrap : Using [0]eth0:10.0.0.4<0>",
            "Connection refused",
        ),
        (
            "NCCL_SOCKET_IFNAME=^lo,docker",
            "# note: hangs on two nodes",
        ),
        (("# note: gloo picked 127.0.0.1 on both nodes and the NCCL interface is fine, connection refused"),),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
