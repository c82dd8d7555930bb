"""gpu-shared-with-other-process"""

from typing import Any

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import judge, recording
from tests.faults.trials import device, trial

FAULT = "gpu-shared-with-other-process"
OTHER = [{"pid": 4242, "memory_bytes": 60 << 30, "name": "python3"}]


def shared(processes: list[dict[str, Any]], **products: dict[str, Any]) -> Snapshot:
    return recording(
        "h200-healthy", nvml={"gpus": {"0": {"processes": processes}}}, gpu_trial=trial(device(**products))
    )


def test_fires_when_somebody_else_was_there() -> None:
    [finding] = judge(FAULT, shared(OTHER)).findings

    assert (finding.subject, finding.kind) == ("gpu:0", Kind.RISK)
    assert "1" in finding.summary.say("en") and "1" in finding.summary.say("zh")


def test_is_the_cause_where_the_gpu_was_too_slow() -> None:
    [cause] = diagnose(shared(OTHER, bf16={"tflops": 200.0})).causes

    assert (cause.finding.fault, cause.others) == (FAULT, ("gpu-slower-than-its-kind",))


def test_clear_when_the_gpu_is_ours_alone() -> None:
    assert judge(FAULT, shared([])).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    busy = recording("h200-healthy", nvml={"gpus": {"0": {"processes": OTHER}}})

    assert judge(FAULT, busy).outcome is Outcome.SKIPPED
