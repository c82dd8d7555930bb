"""gpu-overheating"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "gpu-overheating"


def gpu(**changes: Any) -> Snapshot:
    return recording("h200-healthy", nvml={"gpus": {"0": changes}})


def test_fires_on_the_hardware_slowdown() -> None:
    [finding] = judge(FAULT, gpu(throttle=0x40 | 0x8, temperature=95)).findings

    assert (finding.kind, finding.certainty, finding.subject) == (Kind.TROUBLE, Certainty.CERTAIN, "gpu:0")
    assert "95" in finding.summary.say("en") and "95" in finding.summary.say("zh")


def test_fires_as_a_risk_on_the_software_slowdown() -> None:
    [finding] = judge(FAULT, gpu(throttle=0x20)).findings

    assert finding.kind is Kind.RISK


def test_fires_on_the_output_of_nvidia_smi() -> None:
    assert judge(FAULT, text("            HW Thermal Slowdown       : Active")).outcome is Outcome.FIRED
    xml = "<clocks_event_reason_hw_thermal_slowdown>Active</clocks_event_reason_hw_thermal_slowdown>"
    assert judge(FAULT, text(xml)).outcome is Outcome.FIRED


def test_clear_when_idle_capped_or_slowed_for_another_reason() -> None:
    for reason in (0x0, 0x1, 0x2, 0x4, 0x8, 0x10, 0x80, 0x100):
        assert judge(FAULT, gpu(throttle=reason)).outcome is Outcome.CLEAR, hex(reason)
    assert judge(FAULT, text("            HW Thermal Slowdown       : Not Active")).findings == ()


def test_clear_on_a_laptop_at_its_limit() -> None:
    laptop = gpu(name="NVIDIA GeForce RTX 4070 Laptop GPU", throttle=0x20, temperature=86)

    assert judge(FAULT, laptop).outcome is Outcome.CLEAR


def test_clear_where_there_is_no_nvml() -> None:
    assert judge(FAULT, recording("h200-healthy", nvml={"state": "absent"})).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_reasons_were_not_read() -> None:
    assert judge(FAULT, gpu(throttle=...)).outcome is Outcome.SKIPPED


def test_claims_nothing_when_nvml_did_not_start() -> None:
    dead = recording("h200-healthy", nvml={"init": 9, "gpus": ..., "unread": {"gpus": "error"}})

    assert judge(FAULT, dead).reason == "nvml.gpus: error"


def test_fires_for_a_hot_gpu_beside_a_lost_one() -> None:
    rows = {"0": {"throttle": 0x40}, "1": {"handle": 15}}

    verdict = judge(FAULT, recording("h200-healthy", nvml={"gpus": rows}))

    assert [finding.subject for finding in verdict.findings] == ["gpu:0"]


SAID = (
    (
        "Unable to determine the device handle for GPU 0000:03:00.0: Unknown Error",
        (
            "# note: the card is a passive one in a desktop case, I only have the front fan; "
            "it works for ten minutes after boot"
        ),
        "gpu: Tesla P100",
    ),
    (
        "# note: 服务器风扇坏了一个，GPU 温度到 95 度之后就开始降频，训练越来越慢",
        "gpu: A100 40GB",
    ),
    (
        (
            "# note: P40 in a tower with no shroud for the fan; nvidia-smi shows 97C and "
            "then ERR! and the card disappears"
        ),
        "gpu: Tesla P40",
        "driver: 535",
    ),
)
NEAR = (
    "    HW Thermal Slowdown               : Not Active",
    "# note: training is slow, 61 C, clocks at maximum",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
