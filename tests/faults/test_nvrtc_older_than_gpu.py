"""nvrtc-older-than-gpu"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nvrtc-older-than-gpu"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("RuntimeError: nvrtc: error: invalid value for --gpu-architecture (-arch)", Certainty.CERTAIN),
        ("ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'", Certainty.CERTAIN),
        ("nvcc fatal   : Unsupported gpu architecture 'compute_120'", Certainty.LIKELY),
    ],
)
def test_fires_on_an_architecture_the_compiler_does_not_know(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "nvcc fatal   : Unsupported gpu architecture 'compute_35'",
        "nvrtc: error: failed to open libnvrtc-builtins.so.12.1",
    ],
)
def test_clear_on_an_architecture_that_was_dropped(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
