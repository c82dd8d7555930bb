"""nccl-socket-ifname-wrong"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-socket-ifname-wrong"
LINES = (
    "node1:40:40 [0] bootstrap.cc:114 NCCL WARN Bootstrap : no socket interface found",
    "[rank0]: Bootstrap : no socket interface found",
)
OTHERS = (
    "node1:40:40 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth0",
    "node1:40:40 [0] NCCL INFO Bootstrap: Using eth0:192.0.2.9<0>",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_a_bootstrap_without_interface(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("env:NCCL_SOCKET_IFNAME", Certainty.LIKELY)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_a_bootstrap_that_found_one(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "lines",
    [
        (
            "export NCCL_SOCKET_IFNAME=enp3s0",
            "# note: the second host calls it eno1; NCCL error invalid usage",
        ),
        ("# note: NCCL_SOCKET_IFNAME 指定的网卡只在一台机器上有，另一台报错",),
    ],
)
def test_fires_on_what_people_tell(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NCCL_SOCKET_IFNAME=^docker0",
            "# note: hangs, the interface does not exist on one host",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [("[gloo/transport/tcp/pair.cc:144] timed out connecting", "$ echo $GLOO_SOCKET_IFNAME", "docker0")],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
