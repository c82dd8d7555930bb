"""toolkit-finds-no-driver-library"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "toolkit-finds-no-driver-library"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "nvidia-container-cli: initialization error: load library failed: "
                "libnvidia-ml.so.1: cannot open shared object file: no such file or directory: "
                "unknown."
            ),
            Certainty.CERTAIN,
        ),
        ('level=error msg="failed to initialize NVML: ERROR_LIBRARY_NOT_FOUND"', Certainty.LIKELY),
    ],
)
def test_fires_when_the_engine_has_no_driver_library(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("python: error while loading shared libraries: libnvidia-ml.so.1: cannot open shared object file"),
        ("nvidia-container-cli: initialization error: nvml error: driver not loaded"),
    ],
)
def test_clear_on_a_program_in_the_container(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
