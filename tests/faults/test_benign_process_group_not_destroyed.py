"""benign-process-group-not-destroyed"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-process-group-not-destroyed"
LINES = (
    (
        "[rank0]:[W1130 10:00:00.0 ProcessGroupNCCL.cpp:1575] Warning: WARNING: "
        "destroy_process_group() was not called before program exit"
    ),
    (
        "[rank0]:[W1130] Warning: WARNING: process group has NOT been destroyed before we "
        "destruct ProcessGroupNCCL."
    ),
)
OTHERS = ("Sending process 80 closing signal SIGTERM",)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_notice_at_shutdown(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.kind is Kind.HARMLESS
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("rank:0", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_other_shutdown_lines(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
