"""cpu-only-jaxlib"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cpu-only-jaxlib"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "W xla_bridge.py:795] An NVIDIA GPU may be present on this machine, but a "
                "CUDA-enabled jaxlib is not installed. Falling back to cpu."
            ),
            Certainty.CERTAIN,
        ),
        ("WARNING:absl:No GPU/TPU found, falling back to CPU.", Certainty.POSSIBLE),
        (
            (
                "RuntimeError: Unknown backend: 'gpu' requested, but no platforms that are "
                "instances of gpu are present."
            ),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_when_the_cuda_backend_is_missing(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("INFO: Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so"),
        "[CudaDevice(id=0)]",
    ],
)
def test_clear_on_other_backends(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
