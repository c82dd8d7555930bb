"""input-tensor-left-on-cpu"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "input-tensor-left-on-cpu"
LINES = (
    (
        "RuntimeError: Expected all tensors to be on the same device, but found at least two "
        "devices, cuda:0 and cpu!"
    ),
    (
        "RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, "
        "different from other tensors on cuda:1"
    ),
    (
        "RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.HalfTensor) "
        "should be the same"
    ),
    (
        "RuntimeError: Input and hidden tensors are not at the same device, found input tensor "
        "at cpu and hidden tensor at cuda:0"
    ),
)
OTHERS = (
    (
        "RuntimeError: Expected all tensors to be on the same device, but found at least two "
        "devices, cuda:0 and cuda:1!"
    ),
    "RuntimeError: mat1 and mat2 must have the same dtype, but got Float and Half",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_tensors_of_two_devices(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_two_gpus_or_two_types(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
