"""fabric-manager-version-mismatch"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

LINE = (
    "nv-fabricmanager[812]: fabric manager NVIDIA GPU driver interface version 580.159.04 "
    "don't match with driver version 580.126.09."
)


def test_fires_on_its_own_words() -> None:
    [finding] = judge("fabric-manager-version-mismatch", text(LINE)).findings

    assert finding.evidence[0].source == "train.log:1"


def test_fires_when_the_line_was_wrapped() -> None:
    wrapped = LINE.replace("don't", "\n  don't").split("\n")

    assert judge("fabric-manager-version-mismatch", text(*wrapped)).outcome is Outcome.FIRED


def test_clear_on_its_ordinary_words() -> None:
    line = "nv-fabricmanager[812]: Connected to 1 node. driver version 580.126.09"

    assert judge("fabric-manager-version-mismatch", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("fabric-manager-version-mismatch", snapshot).outcome is Outcome.SKIPPED
