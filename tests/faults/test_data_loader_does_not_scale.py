"""data-loader-does-not-scale"""

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.feeding import HEALTHY, feed, tried

FAULT = "data-loader-does-not-scale"
FLAT = {"0": feed(240), "1": feed(230), "2": feed(400), "8": feed(380)}


def test_fires_when_eight_workers_do_the_work_of_two() -> None:
    [finding] = judge(FAULT, tried(feeds=FLAT)).findings

    assert finding.certainty is Certainty.LIKELY
    assert [e.value for e in finding.evidence] == [380, 230]


def test_fires_as_a_consequence_of_a_quota() -> None:
    quota = {"quota": 2.0, "quota_source": "/sys/fs/cgroup/cpu.max"}

    diagnosis = pipeline.judge(tried(feeds=FLAT, processors=quota))

    assert [cause.finding.fault for cause in diagnosis.causes] == ["cpus-too-few-for-job"]
    assert FAULT in [one.finding.fault for one in diagnosis.consequences]


def test_clear_where_workers_help() -> None:
    assert judge(FAULT, tried()).outcome is Outcome.CLEAR


def test_clear_on_hardware_threads_of_half_as_many_cores() -> None:
    feeds = {"0": feed(240), "1": feed(240), "2": feed(430), "4": feed(575)}

    assert judge(FAULT, tried(feeds=feeds)).outcome is Outcome.CLEAR


def test_clear_when_small_or_too_few_workers_say_little() -> None:
    assert judge(FAULT, tried(feeds=FLAT, small=True)).outcome is Outcome.CLEAR
    assert judge(FAULT, tried(feeds={"1": feed(230), "2": feed(180)})).outcome is Outcome.CLEAR


def test_claims_nothing_without_the_trial() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED


def test_claims_nothing_about_workers_that_failed() -> None:
    feeds = HEALTHY | {"8": {"error": "RuntimeError: DataLoader worker exited"}}

    assert judge(FAULT, tried(feeds=feeds)).outcome is Outcome.CLEAR
