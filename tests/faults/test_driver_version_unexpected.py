"""driver-version-unexpected"""

import pytest

from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as diagnose
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "driver-version-unexpected"
ABSENT = {"state": "absent"}


@pytest.mark.parametrize("rule", ["570", "580.95.05", ">=590", ">=580.159.05"])
def test_fires_on_another_driver(rule: str) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", expectations=expecting(driver=rule))).findings

    assert (finding.subject, finding.variant) == ("driver", None)
    assert [e.value for e in finding.evidence] == ["580.159.04", rule]


def test_fires_on_another_cuda() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", expectations=expecting(cuda=">=13.1"))).findings

    assert (finding.subject, finding.variant) == ("cuda", "cuda")
    assert finding.summary.values["version"] == "13.0"


def test_fires_without_a_driver_as_a_consequence_of_the_missing_module() -> None:
    found = diagnose(recording("module-not-loaded", expectations=expecting(driver="580")))

    assert [cause.finding.fault for cause in found.causes] == ["driver-module-missing-for-running-kernel"]
    assert FAULT in [effect.finding.fault for effect in found.consequences]


def test_fires_on_the_version_that_nvml_gives_where_no_module_shows() -> None:
    snapshot = recording("h200-healthy", driver=ABSENT, expectations=expecting(driver="570"))

    assert judge(FAULT, snapshot).findings[0].evidence[0].path == "nvml.driver_version"


@pytest.mark.parametrize("rule", ["580", "580.159", "580.159.04", "580.*", ">=580.65", ">=570"])
def test_clear_when_the_rule_is_met(rule: str) -> None:
    snapshot = recording("h200-healthy", expectations=expecting(driver=rule, cuda="13.0"))

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_clear_on_cuda_when_it_does_not_start() -> None:
    cuda = {"init": 100, "driver_version": 12000}

    found = judge(FAULT, recording("h200-healthy", cuda=cuda, expectations=expecting(cuda=">=13.0")))

    assert found.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_version_was_not_read() -> None:
    snapshot = recording("h200-healthy", driver={"module_version": ...}, expectations=expecting(driver="570"))

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED


def test_fires_after_an_update_without_reboot_as_its_consequence() -> None:
    old = {"driver": {"module_version": "580.126.09"}, "nvml": {"init": 18}}

    found = diagnose(recording("h200-healthy", expectations=expecting(driver="580.159.04"), **old))

    assert found.causes[0].finding.fault == "driver-upgraded-without-reboot"
    assert FAULT in [effect.finding.fault for effect in found.consequences]
