"""rank-killed"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "rank-killed"
LINES = (
    (
        "E1130 10:00:00.000000 77 api.py:986] failed (exitcode: -9) local_rank: 3 (pid: 81) of "
        "binary: /usr/bin/python"
    ),
    "  traceback : Signal 9 (SIGKILL) received by PID 81",
)
OTHERS = (
    "failed (exitcode: -15) local_rank: 0 (pid: 80) of binary: python",
    "  traceback : Signal 15 (SIGTERM) received by PID 80",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_sigkill(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("job", Certainty.CERTAIN)


def test_captures_what_the_first_line_says() -> None:
    [sighting] = [s for s in text(LINES[0]).views[0].sightings.seen if s.fault == FAULT]

    assert sighting.values == {"local_rank": "3"}


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_the_signal_of_the_launcher(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
