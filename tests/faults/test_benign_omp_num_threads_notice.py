"""benign-omp-num-threads-notice"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-omp-num-threads-notice"
LINES = (
    (
        "W1130 10:00:00.0 77 run.py:851] Setting OMP_NUM_THREADS environment variable for each "
        "process to be 1 in default, to avoid your system being overloaded"
    ),
)
OTHERS = ("libgomp: Invalid value for environment variable OMP_NUM_THREADS",)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_notice_of_torchrun(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.kind is Kind.HARMLESS
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("log", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_a_real_complaint(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
