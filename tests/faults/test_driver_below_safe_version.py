"""driver-below-safe-version"""

import re

import pytest

from codeblue.faults.driver.driver_below_safe_version import UNSAFE
from codeblue.knowledge.support import ended, safe_floor
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import branch, older
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text


def judged(version: str) -> Verdict:
    return judge("driver-below-safe-version", recording("h200-healthy", driver={"module_version": version}))


def test_fires_as_a_risk_below_the_floor_of_the_branch() -> None:
    [finding] = judged("580.126.09").findings

    assert (finding.kind, finding.variant) == (Kind.RISK, "below-floor")
    assert finding.summary.values == {"version": "580.126.09", "floor": "580.159.03"}


def test_fires_as_a_risk_when_the_branch_has_ended() -> None:
    [finding] = judged("535.309.01").findings

    assert (finding.variant, finding.summary.values["end"]) == ("branch-ended", "2026-06")


@pytest.mark.parametrize("version", ["580.159.03", "580.159.04", "595.71.05", "620.70.06"])
def test_clear_at_the_floor_of_a_supported_branch(version: str) -> None:
    assert judged(version).outcome is Outcome.CLEAR


@pytest.mark.parametrize("version", ["999.10.01", "615.71.09", "560.35.03"])
def test_clear_when_no_source_says_enough_about_the_branch(version: str) -> None:
    assert judged(version).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_version_was_not_read() -> None:
    snapshot = recording("h200-healthy", driver={"module_version": ...})

    verdict = judge("driver-below-safe-version", snapshot)

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "driver.module_version: not-attempted")


TOLD = (
    (
        "Driver Version: 525.105.17",
        "# note: everything works, is it safe to stay on this one? security scan complains",
    ),
    (
        "driver: 550.54.15",
        "# note: does CVE-2024-0126 concern us",
    ),
    (
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  450.80.02",
        "# note: 驱动分支已停止维护，审计要求说明",
    ),
    ("nvidia-driver-570 570.86.15, branch is end of life according to our auditor",),
)
QUIET = (
    (
        "Driver Version: 620.70.06",
        "# note: is it safe? the security scan asks",
    ),
    (
        "Driver Version: 525.105.17",
        "# note: CUDA 13 image fails",
    ),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_worry_about_an_old_driver(lines: tuple[str, ...]) -> None:
    assert judge("driver-below-safe-version", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_a_safe_driver_and_an_old_one_without_worry(lines: tuple[str, ...]) -> None:
    assert not judge("driver-below-safe-version", text(*lines)).findings


def test_the_pattern_says_what_the_tables_say() -> None:
    known = [release["v"] for row in table("drivers")["rows"] for release in row["releases"]]
    floors = [row["lowest_safe"] for row in table("security")["driver_floor"]]

    for version in (*known, *floors):
        low = safe_floor(version)
        if ended(version) or (low and older(version, low)):
            assert re.match(UNSAFE, version), version
        elif branch(version) >= 580:
            assert not re.match(UNSAFE, version), version
