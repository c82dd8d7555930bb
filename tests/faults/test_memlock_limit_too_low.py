"""memlock-limit-too-low"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "memlock-limit-too-low"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            ("misc/ibvwrap.cc:190 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory"),
            Certainty.CERTAIN,
        ),
        ("ERROR mlx5_1: ibv_create_cq() failed: Cannot allocate memory", Certainty.CERTAIN),
    ],
)
def test_fires_when_memory_cannot_be_registered(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "NCCL WARN Call to ibv_modify_qp failed with error Invalid argument",
        "OSError: [Errno 12] Cannot allocate memory",
    ],
)
def test_clear_on_other_verbs_errors(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
