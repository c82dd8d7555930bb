"""data-loader-fails"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.feeding import HEALTHY, tried

FAULT = "data-loader-fails"
KILLED = "RuntimeError: DataLoader worker (pid 71) is killed by signal: Killed."


@pytest.mark.parametrize("small", [True, False])
def test_fires_on_workers_that_die(small: bool) -> None:
    feeds = HEALTHY | {"2": {"error": KILLED}, "8": {"error": KILLED}}

    [finding] = judge(FAULT, tried(feeds=feeds, small=small)).findings

    assert finding.summary.values["workers"] == "2"
    assert finding.evidence[0].value == KILLED
    assert finding.certainty is Certainty.CERTAIN


def test_fires_as_likely_on_workers_that_do_not_answer() -> None:
    [finding] = judge(FAULT, tried(feeds=HEALTHY | {"2": {"error": "no answer within 13 s"}})).findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_as_the_cause_where_nothing_else_is() -> None:
    diagnosis = pipeline.judge(tried(feeds=HEALTHY | {"2": {"error": KILLED}}))

    assert [cause.finding.fault for cause in diagnosis.causes] == [FAULT]


def test_clear_on_workers_that_feed_or_are_left_alone() -> None:
    feeds = HEALTHY | {"8": {"left_alone": "others use /dev/shm and 20 MiB are free"}}

    assert judge(FAULT, tried(feeds=feeds)).outcome is Outcome.CLEAR


def test_claims_nothing_without_the_trial() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
