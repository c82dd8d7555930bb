"""gpu-fallen-off-bus"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-fallen-off-bus"
ADDRESS = "0000:00:06.0"


def logged(code: int) -> dict[str, Any]:
    words = f"NVRM: Xid (PCI:0000:00:06): {code}, pid=7, name=python3, GPU has left"
    row = {"code": code, "device": "0000:00:06", "seconds": 9.0, "pid": 7, "process": "x", "text": words}
    return {"xids": [row]}


def function(**changes: Any) -> dict[str, Any]:
    return {"functions": {ADDRESS: changes}}


def test_fires_when_the_configuration_space_reads_as_ones() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", pci=function(config_readable=False))).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:00:06", Certainty.CERTAIN)
    assert finding.evidence[0].path == f"pci[{ADDRESS}].config_readable"


def test_fires_once_on_xid_79_and_silence() -> None:
    snapshot = recording("h200-healthy", kernel_log=logged(79), pci=function(config_readable=False))

    [finding] = judge(FAULT, snapshot).findings

    assert finding.certainty is Certainty.CERTAIN
    assert [e.path for e in finding.evidence] == [
        f"pci[{ADDRESS}].config_readable",
        "kernel_log.xids[0].text",
    ]


def test_fires_less_certainly_on_xid_79_when_the_gpu_answers_again() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged(79))).findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_on_a_gpu_that_is_gone_from_the_bus() -> None:
    line = {"kind": "nvrm", "seconds": 3.0, "text": "NVRM: GPU 0000:4b:00.0: GPU has fallen off the bus."}

    [finding] = judge(FAULT, recording("h200-healthy", kernel_log={"lines": [line]})).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:4b:00", Certainty.CERTAIN)


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: Xid (PCI:0000:3b:00): 79, pid=8, name=python, GPU has fallen off the bus.",
        "[9.9] NVRM: Xid (0000:3b:00): 79, GPU has fallen off the bus.",
        "kernel: NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.",
        "NVRM: installed in this system has fallen off the bus and does not respond",
        "NVRM: Xid 79, GPU has fallen off the bus.",
        "Unable to determine the device handle for GPU2: 0000:3B:00.0: GPU is lost.  Reboot the system now",
        "pynvml.NVMLError_GpuIsLost: GPU is lost",
    ],
)
def test_fires_on_text(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_fires_once_for_the_two_messages_about_one_gpu() -> None:
    first = "NVRM: Xid (PCI:0000:3b:00): 79, pid=8, name=python, GPU has fallen off the bus."
    second = "NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus."

    [finding] = judge(FAULT, text(first, second)).findings

    assert finding.subject == "gpu:0000:3b:00"


@pytest.mark.parametrize("code", [13, 31, 43, 48, 119])
def test_clear_on_other_xids(code: int) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).outcome is Outcome.CLEAR
    assert judge(FAULT, text(f"NVRM: Xid (PCI:0000:79:00): {code}, pid=79, name=x")).findings == ()


def test_clear_when_a_person_took_the_gpu_from_the_driver() -> None:
    for driver in (None, "vfio-pci"):
        away = recording("h200-healthy", pci=function(config_readable=False, driver=driver))
        assert judge(FAULT, away).outcome is Outcome.CLEAR


def test_clear_on_advice_about_the_bus() -> None:
    advice = "Hint: a weak power supply is a common reason why a GPU has fallen off the bus"

    assert judge(FAULT, text(advice)).findings == ()


LOST = {"gpus": {"0": {"handle": 15, "pci": ...}}}


def test_fires_when_nvml_calls_the_only_gpu_lost_and_names_its_address() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"}, nvml=LOST)).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:00:06", Certainty.CERTAIN)
    assert [e.path for e in finding.evidence] == ["nvml[0].handle"]


def test_fires_once_on_xid_79_and_a_lost_handle() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged(79), nvml=LOST)).findings

    assert finding.certainty is Certainty.CERTAIN
    assert [e.path for e in finding.evidence] == ["nvml[0].handle", "kernel_log.xids[0].text"]


def test_fires_by_index_when_the_bus_was_not_read() -> None:
    snapshot = recording("h200-healthy", pci={"state": "error"}, nvml=LOST)

    assert judge(FAULT, snapshot).findings[0].subject == "gpu:0"


def test_fires_on_the_log_when_the_bus_was_not_read_and_nvml_timed_out() -> None:
    snapshot = recording(
        "h200-healthy", pci={"state": "error"}, kernel_log=logged(79), nvml={"state": "timeout"}
    )

    assert judge(FAULT, snapshot).findings[0].certainty is Certainty.LIKELY


def test_claims_nothing_when_the_kernel_log_is_denied() -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"})).outcome is Outcome.SKIPPED
