"""gpu-slower-than-its-kind"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as diagnose
from tests.conftest import judge, recording
from tests.faults.trials import LOAD, device, trial

FAULT = "gpu-slower-than-its-kind"
FREE = {"throttle": {"0": 1.0}}


def machine(*devices: dict[str, Any]) -> Snapshot:
    gpu = recording("h200-healthy").machine
    assert gpu is not None
    name = gpu.cuda.devices["0"].name
    cuda = {"devices": {str(n): {"name": name, "pci": f"0000:{n}0:00.0"} for n in range(len(devices))}}
    return recording("h200-healthy", cuda=cuda, gpu_trial=trial(*devices))


def test_fires_far_below_the_data_sheet() -> None:
    [finding] = judge(FAULT, machine(device(FREE, bf16={"tflops": 300.0}))).findings

    assert finding.subject == "gpu:0"
    assert "300" in finding.summary.say("en") and "30 %" in finding.summary.say("zh")


def test_fires_on_the_one_that_is_slower_than_its_neighbours() -> None:
    slow = machine(device(), device(), device(bf16={"tflops": 500.0}), device())

    [finding] = judge(FAULT, slow).findings

    assert finding.subject == "gpu:2"
    assert "666" in finding.summary.say("en")


@pytest.mark.parametrize("speed", [666.0, 480.0])
def test_clear_at_the_speed_of_a_healthy_gpu(speed: float) -> None:
    assert judge(FAULT, machine(device(FREE, bf16={"tflops": speed}))).outcome is Outcome.CLEAR


def test_clear_on_a_small_board_at_its_power_limit() -> None:
    watts = {"power_limit_watts": 72.0, "power_default_watts": 72.0}

    assert judge(FAULT, machine(device(watts, bf16={"tflops": 320.0}))).outcome is Outcome.CLEAR


def test_clear_after_a_small_trial_and_on_a_part_of_a_gpu() -> None:
    small = device(FREE, bf16={"tflops": 3.0, "size": 384})
    assert judge(FAULT, machine(small)).outcome is Outcome.CLEAR
    sliced = recording(
        "h200-healthy",
        nvml={"gpus": {"0": {"mig": True}}},
        gpu_trial=trial(device(FREE, bf16={"tflops": 90.0})),
    )
    assert judge(FAULT, sliced).outcome is Outcome.CLEAR


def test_claims_nothing_when_nothing_was_tried() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.SKIPPED
    busy = recording("h200-healthy", gpu_trial={"state": "busy", "reason": "GPU 0: 1 processes"})
    assert judge(FAULT, busy).outcome is Outcome.SKIPPED


def test_a_lowered_power_limit_is_the_cause() -> None:
    load = {**LOAD, "power_limit_watts": 300.0, "throttle": {"4": 1.0}}

    [cause] = diagnose(machine(device(load, bf16={"tflops": 250.0}))).causes

    assert (cause.finding.fault, cause.others) == ("gpu-power-limit-lowered", (FAULT,))


def test_heat_is_the_cause() -> None:
    hot = device({"throttle": {"64": 0.9}, "temperature": 96}, bf16={"tflops": 300.0})

    [cause] = diagnose(machine(hot)).causes

    assert cause.finding.fault == "gpu-overheating"
