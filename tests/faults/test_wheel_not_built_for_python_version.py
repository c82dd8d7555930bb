"""wheel-not-built-for-python-version"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "wheel-not-built-for-python-version"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            "ERROR: torch-2.1.0-cp39-cp39-linux_x86_64.whl is not a supported wheel on this platform.",
            Certainty.CERTAIN,
        ),
        (
            "  x Because torch==2.1.0 has no wheels with a matching Python ABI tag (e.g., `cp313`)",
            Certainty.CERTAIN,
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement torch==2.1.0 (from)",
            Certainty.LIKELY,
        ),
        ("ERROR: No matching distribution found for torch==2.1.0", Certainty.LIKELY),
        ("ERROR: No matching distribution found for torch", Certainty.LIKELY),
    ],
)
def test_fires_on_the_words_of_the_installer(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "ERROR: No matching distribution found for torchsnapshot",
        "ERROR: Could not find a version that satisfies the requirement torch-scatter",
        "Successfully installed torch-2.1.0",
    ],
)
def test_clear_on_other_packages(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
