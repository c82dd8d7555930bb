"""toolkit-below-safe-version"""

from pathlib import Path
from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge
from tests.faults.engines import docker_host

FAULT = "toolkit-below-safe-version"


def judged(version: str | None, **sections: Any) -> Verdict:
    tools = {"nvidia-ctk": {"path": "/usr/bin/nvidia-ctk", "version": version}}
    return judge(FAULT, docker_host({"toolkit": tools}, **sections))


@pytest.mark.parametrize(
    ("version", "n", "worst"),
    [("1.17.7", "3", "CVE-2025-23266"), ("1.16.1", "10", "CVE-2024-0132"), ("1.19.0", "1", "CVE-2026-24260")],
)
def test_fires_as_a_risk_with_the_worst_hole(version: str, n: str, worst: str) -> None:
    [finding] = judged(version).findings

    assert finding.kind is Kind.RISK
    assert finding.summary.values == {"version": version, "floor": "1.19.1", "n": n, "worst": worst}


@pytest.mark.parametrize("version", ["1.19.1", "1.20.0", None])
def test_clear_at_the_floor_or_without_a_version(version: str | None) -> None:
    assert judged(version).outcome is Outcome.CLEAR


def test_clear_without_a_toolkit_and_inside_a_container() -> None:
    inside = {"state": "read", "engine": "docker", "injected": []}

    assert judge(FAULT, docker_host({"toolkit": {}})).outcome is Outcome.CLEAR
    assert judged("1.16.1", container=inside).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_toolkit_was_not_read() -> None:
    verdict = judge(FAULT, docker_host({"toolkit": ...}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "engine.toolkit: not-attempted")


@pytest.mark.parametrize(("version", "told"), [("1.14.3", True), ("1.99.0", False)])
def test_fires_on_a_version_in_a_text(tmp_path: Path, version: str, told: bool) -> None:
    report = tmp_path / "report.txt"
    report.write_text(f"NVIDIA Container Toolkit CLI version {version}\n", encoding="utf-8")
    risks = pipeline.judge(pipeline.told([str(report)], None, "test")).risks

    assert [risk.certainty for risk in risks if risk.fault == FAULT] == [Certainty.LIKELY] * told
