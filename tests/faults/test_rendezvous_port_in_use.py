"""rendezvous-port-in-use"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rendezvous-port-in-use"
LINES = (
    (
        "torch.distributed.DistNetworkError: The server socket has failed to listen on any "
        "local network address. port: 29400, useIpv6: false, code: -98, name: EADDRINUSE, "
        "message: address already in use"
    ),
    (
        "[W socket.cpp:436] [c10d] The server socket has failed to bind to [::]:29400 (errno: "
        "98 - Address already in use)."
    ),
)
OTHERS = (
    ("[E socket.cpp:472] [c10d] The server socket has failed to listen on any local network address."),
    "OSError: [Errno 98] Address already in use",
    (
        "[W socket.cpp:663] [c10d] The IPv6 network addresses of (node1, 29400) cannot be "
        "retrieved (gai error: -2)."
    ),
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_a_taken_rendezvous_port(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("port:29400", Certainty.CERTAIN)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"port": "29400"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_other_sockets(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
