"""overlapping-subnets-on-nics"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "overlapping-subnets-on-nics"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.POSSIBLE,
            (
                (
                    "# note: both ethernet interfaces are in the same subnet and NCCL traffic leaves "
                    "on the slow one"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "inet 10.4.1.7/16 brd 10.4.255.255 scope global eno1",
                "NCCL_SOCKET_IFNAME=ens2f0",
                "# note: half of the packets go out on the other NIC",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 设了 NCCL_SOCKET_IFNAME 也不生效，发送流量还是走千兆网口",),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 万兆和千兆两块网卡在同一网段，NCCL 带宽只有千兆",),
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
            "NCCL WARN Bootstrap : no socket interface found",
            "# note: NCCL_SOCKET_IFNAME is ignored, no traffic at all",
        ),
        (
            "inet 10.4.1.7/24 scope global eno1",
            "# note: NCCL hangs",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize("lines", [("NCCL_SOCKET_IFNAME=eth1", "# note: 流量依旧都走 eth0")])
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings
