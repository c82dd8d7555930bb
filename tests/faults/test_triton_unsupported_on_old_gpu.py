"""triton-unsupported-on-old-gpu"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "triton-unsupported-on-old-gpu"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "Found Quadro P6000 which is too old to be supported by the triton GPU compiler, "
                "which is used as the backend."
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "RuntimeError: Triton only supports CUDA capability >= 7.0, but your device is of"
                " CUDA capability 6.1"
            ),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_on_a_card_before_volta(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("A matching Triton is not available, some optimizations will not be enabled"),
        "Found no kernels to compile",
    ],
)
def test_clear_on_a_missing_triton(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
