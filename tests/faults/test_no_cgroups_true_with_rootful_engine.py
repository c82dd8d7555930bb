"""no-cgroups-true-with-rootful-engine"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "no-cgroups-true-with-rootful-engine"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("no-cgroups = true", Certainty.POSSIBLE),
    ],
)
def test_fires_on_the_setting(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "#no-cgroups = false",
        "no-cgroups = false",
    ],
)
def test_clear_on_the_default(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
