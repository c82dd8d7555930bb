"""operation-results-wrong"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.fingerprints import CPU, device, machine

FAULT = "operation-results-wrong"


@pytest.mark.parametrize(
    "row",
    [
        {"relative_error": 0.2},
        {"relative_error": -1.0, "peak": -1.0},
        {"relative_error": 2e-3, "peak": 120.0},
    ],
)
def test_fires_on_a_product_that_no_rounding_explains(row: dict[str, Any]) -> None:
    [finding] = judge(FAULT, machine(device(matmul_fp32=row))).findings

    assert finding.subject == "gpu:0"
    assert "matmul/fp32" in finding.summary.say("en") and "matmul/fp32" in finding.summary.say("zh")


def test_fires_on_a_sum_with_the_error_of_narrower_types() -> None:
    rows = device(versions=CPU, sum_fp32={"relative_error": 2e-3})

    [finding] = judge(FAULT, machine(rows)).findings

    assert finding.subject == "cpu:0"


def test_fires_on_all_gpus_when_all_are_wrong_alike() -> None:
    wrong = {"relative_error": 0.2, "digest": "wrong"}

    verdict = judge(FAULT, machine(device(matmul_bf16=wrong), device(matmul_bf16=wrong)))

    assert [finding.subject for finding in verdict.findings] == ["gpu:0", "gpu:1"]


def test_clear_when_one_gpu_of_two_is_wrong_which_is_the_chip() -> None:
    wrong = {"relative_error": 0.2, "digest": "wrong"}

    assert judge(FAULT, machine(device(), device(matmul_bf16=wrong))).outcome is Outcome.CLEAR


def test_clear_with_the_errors_of_the_types() -> None:
    assert judge(FAULT, machine(device())).outcome is Outcome.CLEAR


def test_clear_when_an_operation_could_not_be_tried() -> None:
    assert judge(FAULT, machine(device(matmul_fp32={"error": "no such operator"}))).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
