"""numerics-changed-by-environment"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind, Severity
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "numerics-changed-by-environment"


def judged(**variables: str) -> Verdict:
    return judge(FAULT, recording("h200-healthy", environment={"variables": variables}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NVIDIA_TF32_OVERRIDE", "0"),
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
        {"NVIDIA_TF32_OVERRIDE": "1"},
        {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "0"},
        {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"},
    ],
)
def test_clear_when_no_variable_changes_the_arithmetic(variables: dict[str, str]) -> None:
    assert judged(**variables).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_environment_was_not_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", environment={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "environment: denied")


def test_comes_first_where_somebody_compared() -> None:
    words = text(
        "NVIDIA_TF32_OVERRIDE=0",
        "max abs diff: 4e-3",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "numerics-changed-by-environment"
