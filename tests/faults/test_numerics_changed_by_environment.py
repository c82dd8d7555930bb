"""numerics-changed-by-environment"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind, Severity
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text
from tests.faults.fingerprints import device, machine

FAULT = "numerics-changed-by-environment"


def judged(**variables: str) -> Verdict:
    return judge(FAULT, recording("h200-healthy", environment={"variables": variables}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NVIDIA_TF32_OVERRIDE", "0"),
        ("NVIDIA_TF32_OVERRIDE", "1"),
        ("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "1"),
        ("CUBLAS_EMULATE_SINGLE_PRECISION", "1"),
        ("CUBLAS_EMULATE_DOUBLE_PRECISION", "1"),
    ],
)
def test_fires_as_a_note_never_as_trouble(name: str, value: str) -> None:
    [finding] = judged(**{name: value}).findings

    assert (finding.kind, finding.severity) == (Kind.RISK, Severity.NOTE)
    assert (finding.evidence[0].path, finding.evidence[0].value) == (f"environment[{name}]", value)
    assert f"{name}={value}" in finding.summary.say("en")
    assert f"{name}={value}" in finding.summary.say("zh")


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "0"},
        {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"},
    ],
)
def test_clear_when_no_variable_changes_the_arithmetic(variables: dict[str, str]) -> None:
    assert judged(**variables).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("get_float32_matmul_precision", "medium"),
        ("cuda.matmul.allow_tf32", "True"),
        ("cudnn.benchmark", "True"),
        ("cudnn.allow_tf32", "False"),
    ],
)
def test_fires_on_a_flag_that_is_set_before_the_job_begins(flag: str, value: str) -> None:
    [finding] = judge(FAULT, machine(device(flags={flag: value}), device(flags={flag: value}))).findings

    assert (finding.subject, finding.variant) == (f"flag:{flag}", "flag")
    assert finding.evidence[0].path == f"numerics_trial[0].flags[{flag}]"


def test_fires_on_a_variable_that_only_the_trial_reads() -> None:
    snapshot = machine(device(variables={"DNNL_DEFAULT_FPMATH_MODE": "BF16"}))

    [finding] = judge(FAULT, snapshot).findings

    assert finding.subject == "env:DNNL_DEFAULT_FPMATH_MODE"


def test_fires_once_for_the_variable_that_sets_the_flag() -> None:
    snapshot = machine(
        device(flags={"cuda.matmul.allow_tf32": "True"}),
        environment={"variables": {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "1"}},
    )

    assert [one.subject for one in judge(FAULT, snapshot).findings] == [
        "env:TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"
    ]


def test_clear_when_flags_are_as_usual_or_make_results_repeatable() -> None:
    repeatable = {"cudnn.deterministic": "True", "cuda.matmul.fp32_precision": "RuntimeError"}

    assert judge(FAULT, machine(device())).outcome is Outcome.CLEAR
    assert judge(FAULT, machine(device(flags=repeatable))).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_environment_was_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", environment={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "environment: denied")


TOLD = (
    (
        "NVIDIA_TF32_OVERRIDE=0",
        "# note: loss differs between the two clusters, same seed",
    ),
    (
        "$ echo $CUBLAS_EMULATE_SINGLE_PRECISION",
        "1",
        "assert_close failed: greatest absolute difference 3e-3",
    ),
    ("# note: with allow_tf32 on the A100 the results are not reproducible against the V100",),
    ("# note: 镜像里设了 TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1，两边精度对不上",),
)
QUIET = (
    (
        "UserWarning: TensorFloat32 tensor cores available but not enabled. Consider setting",
        "torch.set_float32_matmul_precision('high') for better performance; results may differ",
    ),
    (
        "oneDNN custom operations are on. You may see slightly different numerical results",
        "set the environment variable TF_ENABLE_ONEDNN_OPTS=0",
    ),
    (
        "torch.backends.cuda.matmul.allow_tf32 = True",
        "step 10 loss 3.1",
    ),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_results_that_differ(lines: tuple[str, ...]) -> None:
    assert judge("numerics-changed-by-environment", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_ordinary_warnings(lines: tuple[str, ...]) -> None:
    assert not judge("numerics-changed-by-environment", text(*lines)).findings


def test_comes_first_where_somebody_compared() -> None:
    words = text(
        "NVIDIA_TF32_OVERRIDE=0",
        "max abs diff: 4e-3",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "numerics-changed-by-environment"
