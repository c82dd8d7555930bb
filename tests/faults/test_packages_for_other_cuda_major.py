"""packages-for-other-cuda-major"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "packages-for-other-cuda-major"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "[ONNXRuntimeError] : 1 : FAIL : Failed to load library "
                "libonnxruntime_providers_cuda.so with error: libcufft.so.10: cannot open shared "
                "object file: No such file or directory"
            ),
            Certainty.LIKELY,
        ),
        (
            (
                "RuntimeError: Configured CUDA binary not found at "
                "/env/bitsandbytes/libbitsandbytes_cuda134.so"
            ),
            Certainty.LIKELY,
        ),
        ("ImportError: CuPy failed to load libnvrtc.so.11.2: OSError", Certainty.LIKELY),
    ],
)
def test_fires_on_a_library_of_another_major(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("ImportError: libcudart.so.12: cannot open shared object file: No such file or directory"),
        "2 execution providers: CUDAExecutionProvider, CPUExecutionProvider",
    ],
)
def test_clear_on_a_library_any_program_may_miss(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
