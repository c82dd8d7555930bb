"""rendezvous-host-not-resolvable"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rendezvous-host-not-resolvable"
SHOWS = (
    (
        (
            "[W socket.cpp:558] [c10d] The IPv4 network addresses of "
            "(train-workers-0-0.train-workers, 3389) cannot be retrieved (gai error: -2 - Name or "
            "service not known)."
        ),
    ),
    ("ValueError: host not found: Name or service not known",),
    (
        "MASTER_ADDR=job-master-0",
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
    ),
    ("# note: worker cannot resolve the master; nslookup of the headless service gives nothing",),
    ("# note: PyTorchJob 的 worker 无法解析 master 的域名",),
)
OTHERS = (
    (
        (
            "[c10d] The IPv6 network addresses of (node1, 29500) cannot be retrieved (gai error: -9 "
            "- Address family for hostname not supported)."
        ),
    ),
    ("torchrun: HTTPSConnectionPool(host='huggingface.co'): Name or service not known",),
    (("The client socket has failed to connect to [node1]:29500 (errno: 111 - Connection refused)."),),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_meeting_place_that_dns_does_not_know(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_failures_to_meet(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
