"""environment-computes-differently"""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind, Severity
from codeblue.model.finding import Finding, Outcome
from tests.conftest import judge, recording
from tests.faults.fingerprints import base, device, machine

FAULT = "environment-computes-differently"
TF32 = {"relative_error": 2.9e-4, "digest": "tf32"}
OTHER_BITS = {"digest": "other"}


def found(here: dict[str, Any], there: dict[str, Any] | None = None) -> Finding:
    [finding] = judge(FAULT, machine(here, against=base(there or device()))).findings
    return finding


def test_fires_as_trouble_when_a_product_is_less_exact_and_names_the_flag() -> None:
    finding = found(device(flags={"cuda.matmul.allow_tf32": "True"}, matmul_fp32=TF32))

    assert (finding.kind, finding.variant) == (Kind.TROUBLE, "less-exact")
    assert "2.5e-07 → 2.9e-04" in finding.summary.say("en")
    for lang in ("en", "zh"):
        assert "cuda.matmul.allow_tf32: False → True" in finding.summary.say(lang)
    values = {evidence.path: evidence.value for evidence in finding.evidence}
    assert values["numerics_base[0].flags[cuda.matmul.allow_tf32]"] == "False"
    assert values["numerics_trial[0].flags[cuda.matmul.allow_tf32]"] == "True"


def test_fires_with_the_variable_before_the_versions() -> None:
    here = device(variables={"NVIDIA_TF32_OVERRIDE": "1"}, versions={"cudnn": "92000"}, matmul_fp32=TF32)

    told = found(here).summary.say("en")

    assert told.index("NVIDIA_TF32_OVERRIDE: – → 1") < told.index("cudnn: 91900 → 92000")


@pytest.mark.parametrize(
    ("here", "variant"),
    [
        (device(convolution_fp32={"relative_error": 3e-7, "digest": "x"}), "more-exact"),
        (device(normal_gpu=OTHER_BITS), "other-random-numbers"),
        (device(versions={"cudnn": "92000"}, convolution_fp32=OTHER_BITS), "rounding"),
    ],
)
def test_fires_as_a_note_when_no_precision_is_lost(here: dict[str, Any], variant: str) -> None:
    finding = found(here)

    assert (finding.kind, finding.variant) == (Kind.RISK, variant)


def test_fires_as_a_note_for_another_version_and_as_a_warning_for_no_reason_at_all() -> None:
    updated = found(device(versions={"cudnn": "92000"}, convolution_fp32=OTHER_BITS))
    unexplained = found(device(matmul_fp32=OTHER_BITS))

    assert (updated.severity, unexplained.severity) == (Severity.NOTE, Severity.WARNING)
    assert "cudnn: 91900 → 92000" in updated.summary.say("en")
    assert "no setting or version" in unexplained.summary.say("en")


def test_fires_when_an_operation_is_missing() -> None:
    lacking = found(device(attention_flash_backward_bf16={"error": "no such operator"}))

    assert lacking.variant == "lacking"
    assert "cannot be computed" in lacking.summary.say("en")


def test_fires_for_the_device_that_differs_most() -> None:
    snapshot = machine(device(sum_fp32=OTHER_BITS), device(matmul_fp32=TF32), against=base(device()))

    [finding] = judge(FAULT, snapshot).findings

    assert finding.subject == "gpu:1"


def test_another_gpu_is_named_before_its_libraries() -> None:
    here = device(versions={"gpu": "NVIDIA L40S", "cublas": "13.2.0"}, matmul_bf16=OTHER_BITS)

    told = found(here).summary.say("en")

    assert told.index("gpu: NVIDIA H200 → NVIDIA L40S") < told.index("cublas")


def test_a_precision_that_nothing_allows_is_why() -> None:
    diagnosis = pipeline.judge(machine(device(matmul_fp32=TF32), against=base(device())))

    assert [cause.finding.fault for cause in diagnosis.causes] == ["float32-precision-reduced"]
    assert [one.finding.fault for one in diagnosis.consequences] == [FAULT]


@pytest.mark.parametrize(
    "here",
    [
        device(convolution_backward_fp32=OTHER_BITS),
        device(attention_flash_backward_bf16=OTHER_BITS),
        device(matmul_fp32={**OTHER_BITS, "changed": 3}),
    ],
)
def test_clear_when_only_bits_differ_that_vary_from_run_to_run(here: dict[str, Any]) -> None:
    assert judge(FAULT, machine(here, against=base(device()))).outcome is Outcome.CLEAR


def test_clear_when_all_bits_are_the_same() -> None:
    same = machine(device(versions={"cudnn": "92000"}), against=base(device()))

    assert judge(FAULT, same).outcome is Outcome.CLEAR


def test_clear_when_the_training_alone_is_different_which_is_another_fault() -> None:
    here = device(flags={"cudnn.benchmark": "True"}, losses=[1.4] * 20)
    snapshot = machine(here, against=base(device()))

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR
    assert judge("training-canary-diverged", snapshot).findings


def test_claims_nothing_without_a_base_or_without_a_trial() -> None:
    assert judge(FAULT, machine(device())).outcome is Outcome.SKIPPED
    assert judge(FAULT, recording("h200-healthy", numerics_base=base(device()))).outcome is Outcome.SKIPPED
