"""cuda-index-does-not-exist"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cuda-index-does-not-exist"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("Looking in indexes: https://download.pytorch.org/whl/cu125", Certainty.CERTAIN),
        (
            ("ERROR: HTTP error 403 while getting https://download.pytorch.org/whl/cu122/torch/"),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_on_a_folder_that_was_never_published(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "Looking in indexes: https://download.pytorch.org/whl/cu128",
        "Looking in links: https://download.pytorch.org/whl/torch_stable.html",
    ],
)
def test_clear_on_one_that_exists(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
