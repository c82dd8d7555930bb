"""collective-results-wrong"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text
from tests.faults.collectives import ran
from tests.trials.test_links_trial import NVLINK, machine

FAULT = "collective-results-wrong"


def test_fires_when_the_test_counts_wrong_values() -> None:
    assert judge(FAULT, text("# Out of bounds values : 12 FAILED")).outcome is Outcome.FIRED


def test_clear_when_all_values_are_right_or_none_was_compared() -> None:
    rows = (
        "    33554432       8388608     float     sum      -1   181.2  185.1  324.0      0",
        "# Out of bounds values : 0 OK",
    )

    assert judge(FAULT, text(*rows)).outcome is Outcome.CLEAR


def test_claims_nothing_when_no_text_was_given() -> None:
    assert judge(FAULT, recording("h200-healthy", sightings={"state": "denied"})).outcome is Outcome.SKIPPED


def test_fires_on_one_wrong_value_of_a_trial_also_on_processors() -> None:
    spoilt = {"collectives": {"all_reduce": {"4096": {"wrong": 0}, "8192": {"wrong": 3}}}}
    for gpu, subject in (("NVIDIA L40S", "gpus"), (None, "job")):
        [finding] = judge(FAULT, ran(gpu=gpu, rows={"1": spoilt})).findings

        assert (finding.subject, finding.variant) == (subject, "all_reduce")
        assert finding.summary.values["rank"] == "1" and finding.summary.values["count"] == "3"


def test_fires_on_copies_that_arrive_changed() -> None:
    snapshot = machine(2, NVLINK, {"1-0": {"wrong": {"kernel of 4096 bytes": 1024}}})
    [finding] = judge(FAULT, snapshot).findings

    assert (finding.variant, finding.summary.values["pairs"]) == ("copy", "1-0")


def test_clear_when_a_trial_gave_right_values() -> None:
    assert judge(FAULT, ran()).outcome is Outcome.CLEAR
    assert judge(FAULT, machine(4, NVLINK)).outcome is Outcome.CLEAR
