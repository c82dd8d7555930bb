"""nccl-version-mismatch-between-nodes"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nccl-version-mismatch-between-nodes"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "misc/socket.cc:484 NCCL WARN ncclSocketInit: connecting to address  with family "
                "33022 is neither AF_INET(2) nor AF_INET6(10)"
            ),
            Certainty.LIKELY,
        ),
        (
            ("NCCL WARN Mismatched NCCL version detected : rank 0 version 22603 rank 1 version 22102"),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_on_messages_of_another_release(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("NCCL WARN socketStartConnect: Connect to 10.0.0.2<41000> failed : Connection refused"),
        (
            "NCCL WARN ncclSocketInit: connecting to address with family 1 is neither "
            "AF_INET(2) nor AF_INET6(10)"
        ),
    ],
)
def test_clear_on_a_refused_connection(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
