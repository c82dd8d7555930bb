"""idle-connections-dropped-by-firewall"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "idle-connections-dropped-by-firewall"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                (
                    "w0:7:70 [0] misc/socket.cc:50 NCCL WARN socketProgress: Call to recv from "
                    "10.2.0.9<40112> failed : Connection timed out"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            (
                (
                    "# note: ranks lose the connection after the data loading phase, about fifteen "
                    "minutes without traffic"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "RuntimeError: Connection reset by peer",
                "# note: 两台机器之间有防火墙，数据预处理期间连接空闲，之后 rank 0 报错",
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "NCCL error: remote process exited or there was a network error",
                "# note: the NAT gateway closes idle TCP connections after 350 s",
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
        (("NCCL WARN socketStartConnect: Connect to 10.2.0.9<40112> failed : Connection timed out"),),
        (
            "RuntimeError: Connection reset by peer",
            "traceback : Signal 9 (SIGKILL) received by PID 7",
            "# note: during data loading, rank 2",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
