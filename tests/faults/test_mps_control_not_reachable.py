"""mps-control-not-reachable"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mps-control-not-reachable"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 805: MPS client "
                "failed to connect to the MPS control daemon or the MPS server"
            ),
            Certainty.CERTAIN,
        ),
        ("CUDA_ERROR_MPS_CONNECTION_FAILED", Certainty.CERTAIN),
        ("cudaErrorMpsServerNotReady", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_client_cannot_connect(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        (
            "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 804: forward "
            "compatibility was attempted on non supported HW"
        ),
        "An instance of this daemon is already running",
    ],
)
def test_clear_on_another_cuda_error(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
