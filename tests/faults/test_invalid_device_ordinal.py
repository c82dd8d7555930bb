"""invalid-device-ordinal"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "invalid-device-ordinal"
LINES = (
    "torch.AcceleratorError: CUDA error: invalid device ordinal",
    "[rank7]: RuntimeError: CUDA error: invalid device ordinal",
    "NCCL WARN Cuda failure 101 'invalid device ordinal'",
    "CUDA_ERROR_INVALID_DEVICE: invalid device ordinal",
    ("RuntimeError: Attempting to deserialize object on CUDA device 2 but torch.cuda.device_count() is 1."),
)
OTHERS = (
    "GPU device may be out of range, do you have enough GPUs?",
    "an invalid device ordinal usually means too many processes",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_an_invalid_ordinal(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_advice(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
