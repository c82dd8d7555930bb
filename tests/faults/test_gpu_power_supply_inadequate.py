"""gpu-power-supply-inadequate"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "gpu-power-supply-inadequate"
CABLE = "NVRM: GPU 0000:00:06.0: GPU does not have the necessary power cables connected."


def gpu(**changes: Any) -> Snapshot:
    return recording("h200-healthy", nvml={"gpus": {"0": changes}})


def test_fires_on_a_missing_plug_although_nvml_does_not_start() -> None:
    log = {"lines": [{"kind": "nvrm", "seconds": 2.0, "text": CABLE}]}

    [finding] = judge(
        FAULT, recording("h200-healthy", kernel_log=log, nvml={"init": 8, "gpus": ...})
    ).findings

    assert (finding.subject, finding.variant) == ("gpu:0000:00:06", "cable")
    assert finding.evidence[0].value == CABLE


def test_fires_on_xid_54() -> None:
    row = {"code": 54, "device": "0000:00:06", "seconds": 1.0, "pid": None, "process": None, "text": "Xid 54"}

    [finding] = judge(FAULT, recording("h200-healthy", kernel_log={"xids": [row]})).findings

    assert finding.certainty is Certainty.CERTAIN


def test_fires_on_the_power_brake_of_a_server() -> None:
    [finding] = judge(FAULT, gpu(throttle=0x80 | 0x8)).findings

    assert (finding.subject, finding.variant, finding.certainty) == ("gpu:0", "brake", Certainty.LIKELY)


def test_fires_on_text() -> None:
    [finding] = judge(FAULT, text("May 1 10:00:00 n1 kernel: " + CABLE)).findings

    assert finding.subject == "gpu:0000:00:06"


def test_clear_under_a_power_cap_and_on_a_laptop_with_its_brake() -> None:
    assert judge(FAULT, gpu(throttle=0x4)).outcome is Outcome.CLEAR
    laptop = gpu(name="NVIDIA GeForce RTX 3060 Laptop GPU", throttle=0x80)
    assert judge(FAULT, laptop).outcome is Outcome.CLEAR


def test_clear_on_advice_about_cables() -> None:
    advice = "check that the GPU does not have the necessary power cables connected loosely"

    assert judge(FAULT, text(advice)).findings == ()


def test_fires_when_nvml_refuses_the_gpu_for_its_plug() -> None:
    rows = {"0": {}, "1": {"handle": 8}}
    snapshot = recording("h200-healthy", kernel_log={"state": "denied"}, nvml={"gpus": rows})

    [finding] = judge(FAULT, snapshot).findings

    assert (finding.subject, finding.variant) == ("gpu:1", "cable")
    assert [(e.path, e.value) for e in finding.evidence] == [("nvml[1].handle", 8)]


def test_fires_on_the_log_when_nvml_timed_out() -> None:
    log = {"lines": [{"kind": "nvrm", "seconds": 2.0, "text": CABLE}]}
    snapshot = recording("h200-healthy", kernel_log=log, nvml={"state": "timeout"})

    assert judge(FAULT, snapshot).findings[0].variant == "cable"


def test_claims_nothing_when_nvml_timed_out() -> None:
    assert judge(FAULT, recording("h200-healthy", nvml={"state": "timeout"})).outcome is Outcome.SKIPPED


SAID = (
    (
        (
            "kernel: NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', name=<unknown>, GPU "
            "has fallen off the bus."
        ),
        "# note: 850 W PSU, happens only when both cards train",
        "gpu: 2x RTX 4090",
    ),
    (
        "# note: 一跑训练整机就重启，把功耗墙限制到 250W 就没事，电源是 750W 的",
        "gpu: RTX 3090",
    ),
    (
        (
            "Unable to determine the device handle for GPU 0000:05:00.0: Unable to "
            "communicate with GPU because it is insufficiently powered."
        ),
        (
            "This may be because not all required external power cables are attached, or the "
            "attached cables are not seated properly."
        ),
        "gpu: Tesla K80",
    ),
)
NEAR = (
    "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
    "# note: after reseating the card it is fine",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_clear_when_another_supply_changed_nothing() -> None:
    words = text(
        "GPU 0000:01:00.0 has fallen off the bus",
        "# note: swapped the PSU with the neighbour's, still the same",
    )

    assert judge("gpu-power-supply-inadequate", words).outcome is not Outcome.FIRED
