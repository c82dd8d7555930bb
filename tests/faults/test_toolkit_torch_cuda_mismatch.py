"""toolkit-torch-cuda-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "toolkit-torch-cuda-mismatch"


@pytest.mark.parametrize(
    "line",
    [
        "The detected CUDA version (13.1) mismatches the version that was used to compile PyTorch (12.6).",
        "Exception: >- DeepSpeed Op Builder: Installed CUDA version 13.1 does not match the version torch"
        " was compiled with 12.6",
    ],
)
def test_fires_when_the_build_is_refused(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_on_the_warning_about_a_minor_version() -> None:
    line = (
        "The detected CUDA version (12.8) has a minor version mismatch with the version that was used"
        " to compile PyTorch (12.6). Most likely this shouldn't be a problem."
    )

    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
