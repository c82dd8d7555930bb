"""results-not-repeatable"""

import pytest

from codeblue.model.fault import Kind, Severity
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.fingerprints import CPU, device, machine

FAULT = "results-not-repeatable"
VARIES = {"changed": 2}


def test_fires_as_trouble_when_a_product_of_a_gpu_varies() -> None:
    [finding] = judge(FAULT, machine(device(matmul_fp32=VARIES))).findings

    assert (finding.subject, finding.kind, finding.variant) == ("gpu:0", Kind.TROUBLE, "never")
    assert finding.evidence[0].value == 2


def test_fires_as_a_risk_when_an_operation_of_the_processor_varies() -> None:
    [finding] = judge(FAULT, machine(device(versions=CPU, convolution_fp32=VARIES))).findings

    assert (finding.subject, finding.kind) == ("cpu:0", Kind.RISK)


def test_fires_when_the_clock_chooses_the_algorithm() -> None:
    rows = device(flags={"cudnn.benchmark": "True"}, convolution_backward_fp32=VARIES)

    [finding] = judge(FAULT, machine(rows)).findings

    assert (finding.kind, finding.severity, finding.variant) == (Kind.RISK, Severity.NOTE, "timed")
    assert "cudnn.benchmark" in finding.summary.say("en")


@pytest.mark.parametrize("flag", ["cudnn.deterministic", "are_deterministic_algorithms_enabled"])
def test_fires_when_it_was_promised(flag: str) -> None:
    rows = device(flags={flag: "True"}, convolution_backward_fp32=VARIES)

    [finding] = judge(FAULT, machine(rows)).findings

    assert (finding.severity, finding.variant) == (Severity.WARNING, "promised")


def test_fires_on_a_stream_of_random_numbers() -> None:
    [finding] = judge(FAULT, machine(device(normal_gpu=VARIES))).findings

    assert finding.evidence[0].path == "numerics_trial[0].streams[normal/gpu].changed"


def test_clear_when_gradients_vary_by_default() -> None:
    rows = device(convolution_backward_fp32=VARIES, attention_flash_backward_bf16=VARIES)

    assert judge(FAULT, machine(rows)).outcome is Outcome.CLEAR


def test_a_gpu_that_is_alone_with_it_is_sick() -> None:
    one = machine(device(), device(matmul_fp32=VARIES))

    assert judge(FAULT, one).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
