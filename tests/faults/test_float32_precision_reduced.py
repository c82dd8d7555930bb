"""float32-precision-reduced"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults import trials
from tests.faults.fingerprints import CPU, device, machine

FAULT = "float32-precision-reduced"
TF32 = {"relative_error": 2.9e-4}


def test_fires_on_a_product_with_the_error_of_tf32() -> None:
    [finding] = judge(FAULT, machine(device(matmul_fp32=TF32))).findings

    assert finding.subject == "gpu:0"
    assert "like TF32" in finding.summary.say("en") and "TF32" in finding.summary.say("zh")
    assert finding.evidence[0].path == "numerics_trial[0].operations[matmul/fp32].relative_error"


def test_fires_on_a_convolution_of_the_processor_with_the_error_of_bfloat16() -> None:
    rows = device(
        versions=CPU, convolution_fp32={"relative_error": 2.4e-3}, flags={"mkldnn.allow_tf32": "None"}
    )

    [finding] = judge(FAULT, machine(rows)).findings

    assert finding.subject == "cpu:0"
    assert "like bfloat16" in finding.summary.say("en")


def test_fires_on_a_convolution_in_bfloat16_where_only_tf32_is_allowed() -> None:
    rows = device(convolution_fp32={"relative_error": 2.4e-3}, flags={"cuda.matmul.allow_tf32": "True"})

    [finding] = judge(FAULT, machine(rows)).findings

    assert "convolution/fp32" in finding.summary.say("en")


def test_fires_on_the_compute_trial_alone() -> None:
    snapshot = recording("h200-healthy", gpu_trial=trials.trial(trials.device(fp32=TF32)))

    [finding] = judge(FAULT, snapshot).findings

    assert finding.evidence[0].path == "gpu_trial[0].products[fp32].relative_error"


def test_the_variable_is_the_cause() -> None:
    snapshot = machine(device(matmul_fp32=TF32), environment={"variables": {"NVIDIA_TF32_OVERRIDE": "1"}})

    [cause] = pipeline.judge(snapshot).causes

    assert cause.finding.fault == "numerics-changed-by-environment"
    assert cause.others == (FAULT,)


@pytest.mark.parametrize(
    "flags",
    [
        {"cuda.matmul.allow_tf32": "True"},
        {"get_float32_matmul_precision": "high"},
        {"cuda.matmul.fp32_precision": "tf32"},
        {"fp32_precision": "tf32"},
        {"cuda.matmul.allow_tf32": "RuntimeError"},
    ],
)
def test_clear_when_a_flag_allows_it(flags: dict[str, str]) -> None:
    assert judge(FAULT, machine(device(flags=flags, matmul_fp32=TF32))).outcome is not Outcome.FIRED


def test_clear_with_float32_products_and_tf32_in_convolutions() -> None:
    healthy = machine(device(), gpu_trial=trials.trial(trials.device()))

    assert judge(FAULT, healthy).outcome is Outcome.CLEAR


def test_clear_with_gradients_of_convolutions_in_tf32() -> None:
    rows = device(convolution_backward_fp32={"relative_error": 3.3e-3})

    assert not judge(FAULT, machine(rows)).findings


def test_a_wrong_result_is_another_fault() -> None:
    assert not judge(FAULT, machine(device(matmul_fp32={"relative_error": 0.3}))).findings


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
