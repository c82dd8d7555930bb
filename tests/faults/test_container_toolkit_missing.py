"""container-toolkit-missing"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "container-toolkit-missing"
NO_HOOK = 'exec: "nvidia-container-runtime-hook": executable file not found in $PATH: unknown.'


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ('could not select device driver "" with capabilities: [[gpu]].', Certainty.LIKELY),
        (r"could not select device driver \"nvidia\" with capabilities: [[compute gpu]]", Certainty.LIKELY),
        ("docker: Error response from daemon: unknown or invalid runtime name: nvidia.", Certainty.POSSIBLE),
        ("Error response from daemon: Unknown runtime specified nvidia.", Certainty.POSSIBLE),
        (f"error running hook #0: {NO_HOOK}", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_engine_finds_no_toolkit(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        'could not select device driver "" with capabilities: [[tpu]]',
        "unknown or invalid runtime name: kata",
        "nvidia-container-runtime version 1.18.0",
    ],
)
def test_clear_on_other_words_of_the_engine(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
