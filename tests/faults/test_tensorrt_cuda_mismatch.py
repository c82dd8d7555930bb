"""tensorrt-cuda-mismatch"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "tensorrt-cuda-mismatch"
TEXTS = (
    (
        Certainty.LIKELY,
        (("[W] [TRT] CUDA initialization failure with error: 35. Please check your CUDA installation"),),
    ),
    (
        Certainty.LIKELY,
        (
            "    import tensorrt",
            ("ImportError: libcublas.so.12: cannot open shared object file: No such file or directory"),
            "cuda: 11.8",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: pip brought the TensorRT for CUDA 13, the driver only runs 12.4",)),
    (Certainty.POSSIBLE, ("# note: TensorRT 版本和 CUDA 版本不匹配，初始化失败",)),
)
OTHERS = (
    (
        ("[TensorRT] ERROR: 6: The engine plan file is not compatible with this version of TensorRT"),
        "# built with CUDA 12",
    ),
    ("[TRT] Cuda initialization failure with error 2.",),
    (
        "TF-TRT Warning: Could not find TensorRT",
        "CUDA 12.2 is installed but tensorflow wants it",
    ),
)
WITH_SYMPTOMS = (
    (
        "import tensorrt as trt",
        ("ImportError: libcudart.so.13: cannot open shared object file: No such file or directory"),
    ),
    (
        "[TRT] CUDA initialization failure with error: 35",
        "RuntimeError: CUDA driver version is insufficient for CUDA runtime version",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_tensorrt_for_another_cuda(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_trouble_with_tensorrt(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
