"""conda-virtual-cuda-missing-on-login-node"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "conda-virtual-cuda-missing-on-login-node"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("└─ __cuda =* *, which is missing on the system.", Certainty.CERTAIN),
        ("  - nothing provides __cuda needed by pytorch-2.5.1-cuda126_mkl", Certainty.CERTAIN),
    ],
)
def test_fires_when_the_virtual_package_is_missing(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "       virtual packages : __cuda=12.8=0",
        ("PackagesNotFoundError: The following packages are not available from current channels"),
    ],
)
def test_clear_on_a_solved_environment(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
