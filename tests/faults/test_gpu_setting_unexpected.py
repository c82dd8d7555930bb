"""gpu-setting-unexpected"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "gpu-setting-unexpected"


@pytest.mark.parametrize(("setting", "wanted"), [("ecc", False), ("persistence", False), ("mig", True)])
def test_fires_on_each_setting(setting: str, wanted: bool) -> None:
    snapshot = recording("h200-healthy", expectations=expecting(**{setting: wanted}))

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.subject, finding.variant) == (f"setting:{setting}", setting)
    assert [e.value for e in finding.evidence] == [not wanted, wanted]


def test_fires_with_the_gpus_that_differ() -> None:
    gpus = {str(n): {"handle": 0, "persistence": n != 2} for n in range(4)}
    snapshot = recording("h200-healthy", nvml={"gpus": gpus}, expectations=expecting(persistence=True))

    [finding] = judge(FAULT, snapshot).findings

    assert finding.summary.say("en") == "persistence is off on GPU 2, the site expects on"


@pytest.mark.parametrize("wanted", [{"ecc": True, "persistence": True, "mig": False}, {}], ids=str)
def test_clear_when_all_are_as_expected(wanted: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", expectations=expecting(**wanted))).outcome is Outcome.CLEAR


def test_claims_nothing_of_a_setting_that_the_gpu_does_not_have() -> None:
    nvml = {"gpus": {"0": {"ecc": ...}}}

    alone = judge(FAULT, recording("h200-healthy", nvml=nvml, expectations=expecting(ecc=True)))
    beside = judge(FAULT, recording("h200-healthy", nvml=nvml, expectations=expecting(ecc=True, mig=True)))

    assert alone.outcome is Outcome.SKIPPED
    assert [f.variant for f in beside.findings] == ["mig"]
