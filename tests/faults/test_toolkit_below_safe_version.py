"""toolkit-below-safe-version"""

import re
from typing import Any

import pytest

from codeblue.faults.container.toolkit_below_safe_version import UNSAFE
from codeblue.knowledge.support import toolkit_floor, toolkit_holes
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, text
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


TOLD = (
    ("NVIDIA Container Runtime Hook version 1.13.5",),
    ("cli-version: 1.17.7",),
    ("ii  nvidia-container-toolkit  1.14.3-1  amd64  NVIDIA Container toolkit",),
    ("# note: is our container toolkit affected by CVE-2025-23266?",),
    (
        "toolkit: 1.15.0",
        "# note: 安全团队扫描出漏洞，问这个版本要不要升级",
    ),
)
QUIET = (
    ("NVIDIA Container Toolkit CLI version 1.19.1",),
    ("ii  nvidia-container-toolkit  1.20.0-1  amd64  NVIDIA Container toolkit",),
    ("# note: CVE-2024-21626 in runc, which version is safe?",),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_an_old_toolkit(lines: tuple[str, ...]) -> None:
    assert judge("toolkit-below-safe-version", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_a_safe_one(lines: tuple[str, ...]) -> None:
    assert not judge("toolkit-below-safe-version", text(*lines)).findings


def test_the_pattern_ends_where_the_table_does() -> None:
    safe = toolkit_floor()
    minor = int(safe.split(".")[1])
    below = [f"1.{n}.{patch}" for n in range(minor) for patch in (0, 9)] + ["0.9.4", f"1.{minor}.0"]

    assert all(re.fullmatch(UNSAFE, version) for version in below)
    assert all(toolkit_holes(version) for version in below)
    assert not any(re.match(UNSAFE, version) for version in (safe, f"1.{minor + 1}.0"))
