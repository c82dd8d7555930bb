"""benign-triton-missing"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-triton-missing"
TEXTS = (
    (
        Certainty.CERTAIN,
        (
            "A matching Triton is not available, some optimizations will not be enabled.",
            "Error caught was: No module named 'triton'",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (("# note: on Windows the webui warns that triton is missing, image generation works"),),
    ),
    (Certainty.POSSIBLE, ("# note: windows 上启动 kohya 提示没有 triton，训练正常",)),
)
OTHERS = (
    (
        "torch._inductor.exc.TritonMissing: Cannot find a working triton installation.",
        "# on Windows, warning",
    ),
    (
        "ModuleNotFoundError: No module named 'triton'",
        "# fused kernels on linux",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_the_missing_accelerator(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_needed_triton(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
