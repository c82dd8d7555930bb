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


SAID = (
    (
        "CUDA error 805: MPS client failed to connect to the MPS control daemon or the MPS server",
        "container: docker",
    ),
    (
        (
            "# note: MPS daemon runs on the host, the pod has no hostIPC and /tmp/nvidia-mps "
            "is not mounted, cudaMalloc fails with error 807"
        ),
        "k8s: 1.28",
    ),
    (
        (
            "# note: CUDA_MPS_PIPE_DIRECTORY is set in the container but the pipe directory "
            "of the host is not mounted; cuInit fails"
        ),
        "container: docker",
    ),
)
NEAR = (
    "NotImplementedError: The operator is not implemented for the MPS device",
    "# note: MacBook, container fails too",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
