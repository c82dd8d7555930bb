"""confidential-computing-gpu-not-ready"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "confidential-computing-gpu-not-ready"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("Confidential Compute GPUs Ready state: not-ready", Certainty.CERTAIN),
        ("Confidential Compute GPUs Ready state: Not Ready", Certainty.CERTAIN),
    ],
)
def test_fires_on_a_gpu_that_is_not_ready(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "Confidential Compute GPUs Ready state: ready",
        "CC status: OFF",
    ],
)
def test_clear_on_a_gpu_that_is_ready(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
