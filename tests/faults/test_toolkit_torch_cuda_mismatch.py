"""toolkit-torch-cuda-mismatch"""

from pathlib import Path

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind, Severity
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "toolkit-torch-cuda-mismatch"


@pytest.mark.parametrize(
    "line",
    [
        "The detected CUDA version (13.1) mismatches the version that was used to compile PyTorch (12.6).",
        "Exception: >- DeepSpeed Op Builder: Installed CUDA version 13.1 does not match the version torch"
        " was compiled with 12.6",
    ],
)
def test_fires_when_the_build_is_refused(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_on_the_warning_about_a_minor_version() -> None:
    line = (
        "The detected CUDA version (12.8) has a minor version mismatch with the version that was used"
        " to compile PyTorch (12.6). Most likely this shouldn't be a problem."
    )

    assert not judge(FAULT, text(line)).findings


def with_nvcc(version: str | None, told_by: str = "CUDA_HOME") -> Verdict:
    """Judge a machine whose torch is for CUDA 13.0."""
    nvcc = {"state": "read", "path": "/opt/cuda/bin/nvcc", "told_by": told_by, "version": version}
    return judge(FAULT, recording("h200-healthy", nvcc=nvcc))


@pytest.mark.parametrize("told_by", ["CUDA_HOME", "CUDA_PATH", "PATH"])
def test_a_compiler_of_another_major_version_is_a_risk(told_by: str) -> None:
    [finding] = with_nvcc("12.4.131", told_by).findings

    assert (finding.kind, finding.severity, finding.subject) == (Kind.RISK, Severity.NOTE, "nvcc")
    assert {"toolkit": "12.4.131", "by": told_by}.items() <= {
        "toolkit": finding.summary.values["nvcc"],
        "by": finding.summary.values["told_by"],
    }.items()


@pytest.mark.parametrize(
    "verdict",
    [
        with_nvcc("13.0.88"),
        with_nvcc("13.2"),
        with_nvcc(None),
        with_nvcc("12.4", "default"),
        judge(FAULT, recording("h200-healthy", nvcc={"state": "absent", "reason": "no nvcc"})),
    ],
    ids=["same", "minor", "version-unknown", "nobody-chose-it", "none"],
)
def test_clear_where_nothing_speaks_against_a_build(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_pasted_versions_alone_are_a_risk_and_the_error_beside_them_is_the_trouble(tmp_path: Path) -> None:
    words = tmp_path / "pasted.txt"
    versions = (
        "PyTorch version: 2.7.1+cu126\nCUDA used to build PyTorch: 12.6\nCUDA runtime version: 11.8.89\n"
    )
    error = (
        "The detected CUDA version (11.8) mismatches the version that was used to compile PyTorch (12.6).\n"
    )

    words.write_text(versions)
    told = pipeline.judge(pipeline.told([str(words)], None, "salt"))
    words.write_text(versions + error)
    failed = pipeline.judge(pipeline.told([str(words)], None, "salt"))

    assert (told.causes, [one.fault for one in told.risks]) == ((), [FAULT])
    assert [one.finding.fault for one in failed.causes] == [FAULT]


def test_claims_nothing_where_the_compiler_was_not_looked_for() -> None:
    verdict = judge(FAULT, recording("h200-healthy", nvcc={"state": "not-attempted"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "nvcc: not-attempted")
