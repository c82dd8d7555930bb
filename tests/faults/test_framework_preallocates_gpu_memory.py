"""framework-preallocates-gpu-memory"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "framework-preallocates-gpu-memory"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "E external/xla/cuda_driver.cc:842] failed to allocate 9.50GiB (10200547328 "
                "bytes) from device: RESOURCE_EXHAUSTED"
            ),
            Certainty.LIKELY,
        ),
        (
            (
                "I cuda_driver.cc:1101] failed to allocate 22.21G (23849664512 bytes) from "
                "device: CUDA_ERROR_OUT_OF_MEMORY: out of memory"
            ),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_when_the_reservation_fails(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: CUDA error: out of memory",
        ("failed to alloc 1073741824 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory"),
    ],
)
def test_clear_on_an_ordinary_shortage(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
            "# note: a notebook has only run `import tensorflow as tf; tf.zeros(1)`",
        ),
        ("CUDA out of memory. Tried to allocate 1.00 GiB.", "# note: 另一个终端只导入了 jax，算了一个加法"),
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [
        (
            "W tensorflow/compiler/xla: a notice",
            "  90%|#########  | 9/10",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 500.00 MiB.",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
