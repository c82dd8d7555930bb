"""benign-nnpack-unsupported-cpu"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-nnpack-unsupported-cpu"
LINES = ("[W NNPACK.cpp:64] Could not initialize NNPACK! Reason: Unsupported hardware.",)
OTHERS = ("[W NNPACK.cpp:64] Could not initialize NNPACK! Reason: Out of memory.",)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_unsupported_processor(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.kind is Kind.HARMLESS
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_another_reason(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
