"""rank-hung"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rank-hung"
LINES = (
    (
        "[rank4]:[E1130 10:00:00.0 ProcessGroupNCCL.cpp:689] [Rank 4] Watchdog caught "
        "collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=4, "
        "NumelOut=4, Timeout(ms)=600000) ran for 600001 milliseconds before timing out."
    ),
)
OTHERS = (
    (
        "Received a dump signal due to a collective timeout from rank 0. This is most likely "
        "caused by incorrect usages of collectives"
    ),
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_the_watchdog(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("job", Certainty.LIKELY)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"sequence": "9", "operation": "ALLREDUCE"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_the_advice_that_follows(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
