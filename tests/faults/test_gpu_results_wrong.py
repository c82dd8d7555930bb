"""gpu-results-wrong"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults import fingerprints
from tests.faults.test_gpu_slower_than_its_kind import machine
from tests.faults.trials import device, trial

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


ODD = {"digest": "0badc0de0badc0de"}


def test_fires_on_the_fingerprint_that_is_not_that_of_the_kind() -> None:
    odd = fingerprints.machine(
        fingerprints.device(), fingerprints.device(matmul_bf16=ODD), fingerprints.device()
    )

    [finding] = judge(FAULT, odd).findings

    assert (finding.subject, finding.certainty) == ("gpu:1", Certainty.LIKELY)
    assert finding.evidence[0].path == "numerics_trial[1].operations[matmul/bf16].digest"


def test_fires_on_the_worse_of_two() -> None:
    worse = {**ODD, "relative_error": 9e-3}
    two = fingerprints.machine(fingerprints.device(matmul_bf16=worse), fingerprints.device())

    assert [finding.subject for finding in judge(FAULT, two).findings] == ["gpu:0"]


def test_fires_on_random_numbers_that_are_not_those_of_the_kind() -> None:
    three = [fingerprints.device(), fingerprints.device(), fingerprints.device(normal_gpu=ODD)]

    [finding] = judge(FAULT, fingerprints.machine(*three)).findings

    assert finding.evidence[0].path == "numerics_trial[2].streams[normal/gpu].digest"


def test_fires_once_for_both_trials() -> None:
    both = fingerprints.machine(
        fingerprints.device(),
        fingerprints.device(matmul_fp32={"changed": 1}),
        gpu_trial=trial(device(), device(fp32={"changed": 1})),
    )

    assert [finding.subject for finding in judge(FAULT, both).findings] == ["gpu:1"]


@pytest.mark.parametrize(
    "other",
    [
        fingerprints.device(matmul_bf16=ODD),
        fingerprints.device(versions={"gpu": "NVIDIA L40S"}, matmul_bf16={**ODD, "relative_error": 9e-3}),
        fingerprints.device(versions={"multiprocessors": "66"}, matmul_bf16={**ODD, "relative_error": 9e-3}),
        fingerprints.device(convolution_backward_fp32={**ODD, "changed": 2}),
    ],
    ids=["two equally exact", "another kind", "a slice", "what does not repeat"],
)
def test_clear_when_two_fingerprints_may_differ(other: dict[str, object]) -> None:
    two = fingerprints.machine(fingerprints.device(), other)

    assert judge(FAULT, two).findings == ()


def test_clear_when_the_clock_chose_the_algorithm_of_a_convolution() -> None:
    timed = {"cudnn.benchmark": "True"}
    rows = [fingerprints.device(flags=timed) for _ in range(2)]

    odd = fingerprints.device(flags=timed, convolution_fp32=ODD)

    assert judge(FAULT, fingerprints.machine(*rows, odd)).findings == ()
