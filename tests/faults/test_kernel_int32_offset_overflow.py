"""kernel-int32-offset-overflow"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "kernel-int32-offset-overflow"
SAID = (
    (
        "RuntimeError: CUDA error: an illegal memory access was encountered",
        "# note: only when the tensor has more than 2**31 elements; 2,000,000,000 is fine",
    ),
    ("ValueError: Scalar -2147483904 is out of range for type int32",),
    (
        "# note: 张量元素超过 int32 范围时结果全错，小一点就正常，怀疑 32 位溢出",
        "torch: 2.5.1",
        "wrong results",
    ),
    (
        "torch.AcceleratorError: CUDA error: an illegal memory access was encountered",
        "# in a triton kernel: pid * stride wraps, the offset is int32; casting pid to int64 helps",
    ),
    (
        (
            "RuntimeError: Expected canUse32BitIndexMath(input) && canUse32BitIndexMath(output) to be "
            "true, but got false."
        ),
    ),
    (
        "CUDA error: an illegal memory access was encountered",
        "# note: torch.compile'd model, batch 512 works, batch 513 crashes; memory is not full",
    ),
)
OTHERS = (
    (
        "RuntimeError: CUDA error: an illegal memory access was encountered",
        "# note: random, also with small inputs",
    ),
    ("Assertion `srcIndex < srcSelectDimSize` failed.",),
    ("RuntimeError: expected scalar type Long but found Int (int32)",),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
