"""driver-below-safe-version"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording


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
