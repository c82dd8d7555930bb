"""mismatched-collectives"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mismatched-collectives"
LINES = (
    (
        "[rank1]: RuntimeError: Detected mismatch between collectives on ranks. Rank 1 is "
        "running collective: CollectiveFingerPrint(SequenceNumber=4, OpType=BROADCAST, "
        "TensorShape=[2])"
    ),
)
OTHERS = (
    ("This is most likely caused by incorrect usages of collectives, e.g., wrong sizes used across ranks"),
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_different_collectives(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("job", Certainty.CERTAIN)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"one": "1", "sequence": "4", "operation": "BROADCAST"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_advice_about_collectives(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
