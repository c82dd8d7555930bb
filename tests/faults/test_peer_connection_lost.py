"""peer-connection-lost"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "peer-connection-lost"
LINES = (
    "[rank1]: RuntimeError: [gloo/transport/tcp/pair.cc:1] Connection closed by peer [10.0.0.2]:29500",
    "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
    "[rank3]: DistBackendError: NCCL error: remote process exited or there was a network error",
    "[rank0]: RuntimeError: recvBytes failed on SocketImpl(fd=3): Connection reset by peer",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_when_the_other_end_went(line: str) -> None:
    assert judge(FAULT, text(line)).findings


def test_clear_on_a_refused_connection() -> None:
    line = "curl: (56) Recv failure: Connection reset by peer"

    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_the_rank_that_failed_itself_is_the_cause() -> None:
    failed = "[rank2]: RuntimeError: CUDA error: an illegal memory access was encountered"
    diagnosis = pipeline.judge(text(*LINES, failed))

    assert [c.finding.fault for c in diagnosis.causes] == ["illegal-memory-access"]
    assert FAULT in [c.finding.fault for c in diagnosis.consequences]


def test_claims_nothing_without_a_text() -> None:
    unread = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, unread).outcome is Outcome.SKIPPED
