"""gpu-power-limit-lowered"""

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording
from tests.faults.test_gpu_slower_than_its_kind import machine
from tests.faults.trials import device

FAULT = "gpu-power-limit-lowered"


def test_fires_below_the_default() -> None:
    [finding] = judge(FAULT, machine(device({"power_limit_watts": 500.0}))).findings

    assert (finding.subject, finding.kind) == ("gpu:0", Kind.RISK)
    assert "500" in finding.summary.say("en") and "700" in finding.summary.say("zh")
    assert finding.remedy is not None and "-pl 700" in finding.remedy.steps[0].why.say("en")


def test_clear_at_the_default_and_above_it() -> None:
    for watts in (699.0, 700.0, 750.0):
        assert judge(FAULT, machine(device({"power_limit_watts": watts}))).outcome is Outcome.CLEAR


def test_clear_where_the_driver_does_not_tell() -> None:
    row = device()
    del row["load"]["power_default_watts"]

    assert judge(FAULT, machine(row)).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
