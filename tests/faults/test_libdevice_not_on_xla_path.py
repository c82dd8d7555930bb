"""libdevice-not-on-xla-path"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "libdevice-not-on-xla-path"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("INTERNAL: libdevice not found at ./libdevice.10.bc", Certainty.CERTAIN),
        (
            (
                "W external/xla/llvm_gpu_backend/gpu_backend_lib.cc:540] Can't find libdevice "
                "directory ${CUDA_DIR}/nvvm/libdevice."
            ),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_when_the_file_is_missing(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "I external/xla/service.cc:169] XLA service initialized for platform CUDA",
        "error: libcudart.so.12: cannot open shared object file",
    ],
)
def test_clear_on_another_xla_line(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
