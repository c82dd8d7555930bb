"""firewall-blocks-nccl-ports"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "firewall-blocks-nccl-ports"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "misc/socket.cc:441 NCCL WARN socketStartConnect: Connect to 10.1.0.7<43211> "
                "failed : No route to host"
            ),
            Certainty.LIKELY,
        ),
        (
            ("RuntimeError: [gloo/transport/tcp/pair.cc:800] connect [10.1.0.7]:51234: No route to host"),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_when_a_host_rejects_the_connection(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("NCCL WARN socketStartConnect: Connect to 10.1.0.7<43211> failed : Connection refused"),
        "ssh: connect to host node7 port 22: No route to host",
        "curl: (7) Failed to connect to 10.1.0.7 port 80: No route to host",
    ],
)
def test_clear_on_a_port_nobody_listens_on(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "lines",
    [
        ("NCCL WARN socketStartConnect: Connect to 10.0.0.2<41000> failed : Connection timed out",),
        ("# note: NCCL hangs at init; iptables on eth0 drops everything but ssh",),
        (
            "torch.distributed.DistNetworkError: The client socket has timed out",
            "# note: torchrun 的端口被防火墙挡住",
        ),
    ],
)
def test_fires_on_what_people_tell(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [
        ("# note: NCCL connections are idle and then cut by the firewall",),
        ("# note: the firewall is off, NCCL hangs",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines", [("socketPollConnect: Connect to 10.0.0.7<41234> failed : Connection timed out",)]
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings
