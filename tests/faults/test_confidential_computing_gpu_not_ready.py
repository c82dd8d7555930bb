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


SAID = (
    (
        ">>> torch.cuda.is_available()",
        (
            "UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). "
            "Error 802: system not yet initialized"
        ),
        "# note: CVM on SEV-SNP host with H100 in CC mode",
        "gpu: H100",
        "driver: 550.54.15",
    ),
    (
        "$ nvidia-smi conf-compute -grs",
        "Confidential Compute GPUs Ready state: not-ready",
        "CUDA error: system not yet initialized",
        "gpu: H100 PCIe",
    ),
    (
        "RuntimeError: CUDA error 802",
        "# note: works after nvidia-smi conf-compute -srs 1",
        "gpu: H100",
        "os: Ubuntu 22.04 TDX guest",
    ),
)
NEAR = (
    "CUDA error: system not yet initialized",
    "# note: HGX board, the fabric manager was stopped",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
