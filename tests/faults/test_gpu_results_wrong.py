"""gpu-results-wrong"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.test_gpu_slower_than_its_kind import machine
from tests.faults.trials import device

FAULT = "gpu-results-wrong"


def test_fires_when_the_second_time_gives_other_bits() -> None:
    [finding] = judge(FAULT, machine(device(fp32={"changed": 1}))).findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.CERTAIN)
    assert "fp32" in finding.summary.say("en") and "fp32" in finding.summary.say("zh")


@pytest.mark.parametrize("worst", [400.0, -1.0])
def test_fires_when_one_value_is_far_off(worst: float) -> None:
    [finding] = judge(FAULT, machine(device(bf16={"worst_row": worst}))).findings

    assert finding.subject == "gpu:0"


def test_fires_on_the_one_that_computes_otherwise_than_its_neighbours() -> None:
    odd = machine(device(), device(), device(bf16={"digest": "0badc0de0badc0de"}), device())

    [finding] = judge(FAULT, odd).findings

    assert (finding.subject, finding.certainty) == ("gpu:2", Certainty.LIKELY)


def test_clear_when_right_and_when_two_differ_without_a_third() -> None:
    assert judge(FAULT, machine(device())).outcome is Outcome.CLEAR
    two = machine(device(), device(bf16={"digest": "0badc0de0badc0de"}))
    assert judge(FAULT, two).outcome is Outcome.CLEAR


def test_clear_when_a_type_could_not_be_tried() -> None:
    assert judge(FAULT, machine(device(fp32={"error": "no such operator"}))).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
