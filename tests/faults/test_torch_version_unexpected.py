"""torch-version-unexpected"""

import pytest

from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as diagnose
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "torch-version-unexpected"


@pytest.mark.parametrize("rule", ["2.10.*", ">=2.12", "2.11.0+cu128", "2.11.1", "2.1"])
def test_fires_on_another_version(rule: str) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", expectations=expecting(torch=rule))).findings

    assert [e.value for e in finding.evidence] == ["2.11.0+cu130", rule]


def test_fires_without_torch() -> None:
    snapshot = recording("h200-healthy", torch={"state": "absent"}, expectations=expecting(torch="2.11.*"))

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.variant, finding.evidence[0].path) == ("none", "torch.state")


def test_fires_as_a_consequence_where_torch_is_not_installed() -> None:
    found = diagnose(recording("no-torch", expectations=expecting(torch="2.11.*")))

    assert [cause.finding.fault for cause in found.causes] == ["torch-not-installed"]
    assert [effect.finding.fault for effect in found.consequences] == [FAULT]


@pytest.mark.parametrize("rule", ["2.11.*", "2.11", "2", "2.11.0", "2.11.0+cu130", ">=2.9", ">=2.11.0"])
def test_clear_when_the_rule_is_met(rule: str) -> None:
    snapshot = recording("h200-healthy", expectations=expecting(torch=rule))

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_version_was_not_read() -> None:
    snapshot = recording("h200-healthy", torch={"version": ...}, expectations=expecting(torch="2.10"))

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
