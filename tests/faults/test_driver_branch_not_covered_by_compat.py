"""driver-branch-not-covered-by-compat"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "driver-branch-not-covered-by-compat"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.CERTAIN,
            ("nvidia-container-cli: requirement error: unsatisfied condition: driver < 385",),
        ),
        (
            Certainty.LIKELY,
            (
                "nvidia-container-cli: requirement error: unsatisfied condition",
                "Driver Version: 396.26",
                "gpu: Tesla P100",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 驱动是 396，不在前向兼容支持的分支里",),
        ),
        (
            Certainty.LIKELY,
            (
                "but version 465.19 was detected and compatibility mode is UNAVAILABLE.",
                "gpu: A100, driver 465.19",
            ),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "unsatisfied condition: brand = tesla",
            "Driver Version: 390.77",
            "gpu: GTX 1080 Ti",
        ),
        (
            "ERROR: This container was built for NVIDIA Driver Release 450.51 or later, but",
            "version 410.78 was detected and compatibility mode is UNAVAILABLE.",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
