"""hostname-resolves-to-loopback"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "hostname-resolves-to-loopback"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "RuntimeError: Gloo connectFullMesh failed with [gloo/transport/tcp/pair.cc:144] "
                "connect [127.0.1.1]:4567: Connection refused"
            ),
            Certainty.LIKELY,
        ),
        ("NCCL WARN socketPollConnect: Connect to 127.0.1.1<4567> failed", Certainty.LIKELY),
        (
            ("[gloo/transport/tcp/pair.cc:144] connect [127.0.0.1]:4567: Connection refused"),
            Certainty.POSSIBLE,
        ),
    ],
)
def test_fires_when_peers_are_sent_to_loopback(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "connect [10.0.0.3]:4567: Connection refused",
        "Server listening on 127.0.0.1:8000",
        "curl: (7) Failed to connect to 127.0.1.1 port 80: Connection refused",
    ],
)
def test_clear_on_a_real_address(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "lines",
    [
        (
            ">>> socket.gethostbyname('node-a')",
            "'127.0.1.1'",
            "# note: gloo on two nodes: connection refused",
        ),
        ("# note: 主机名解析到 127.0.0.1，多机训练 rank 之间连不上",),
        (
            "127.0.1.1 trainer2",
            "# note: /etc/hosts maps the name to loopback, the other rank times out",
        ),
    ],
)
def test_fires_on_what_people_tell(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NCCL INFO Bootstrap : Using lo:127.0.0.1<0>",
            "# note: hangs on two nodes, /etc/hosts is fine",
        ),
        ("# note: the notebook resolves to localhost:8888",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
