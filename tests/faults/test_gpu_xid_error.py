"""gpu-xid-error"""

from typing import Any

import pytest

from codeblue.faults.hardware.gpu_xid_error import hardware_codes
from codeblue.faults.hardware.xids import slot
from codeblue.knowledge import xid
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-xid-error"


def logged(*codes: int) -> dict[str, Any]:
    words = "NVRM: Xid (PCI:0000:00:06): {}, some detail"
    row = {"device": "0000:00:06", "seconds": 9.0, "pid": None, "process": None}
    return {"xids": [row | {"code": code, "text": words.format(code)} for code in codes]}


@pytest.mark.parametrize("code", [46, 62, 74, 143, 158, 167])
def test_fires_on_errors_that_no_program_causes(code: int) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).findings

    assert (finding.variant, finding.certainty) == (f"xid-{code}", Certainty.LIKELY)
    event = xid(code)
    assert event is not None and event.title in finding.summary.say("en")
    line = f"[4.2] NVRM: Xid (PCI:0000:3b:00): {code}, pid=1, name=x, detail"
    assert judge(FAULT, text(line)).findings[0].subject == "gpu:0000:3b:00"


def test_fires_on_the_first_in_time_only() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged(13, 74, 46))).findings

    assert finding.variant == "xid-74"
    assert [e.path for e in finding.evidence] == ["kernel_log.xids[1].text", "kernel_log.xids[2].text"]


@pytest.mark.parametrize("code", [8, 11, 13, 25, 31, 32, 39, 43, 44, 45, 68, 69, 109, 137, 999])
def test_clear_on_what_a_program_can_cause(code: int) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).outcome is Outcome.CLEAR
    assert judge(FAULT, text(f"NVRM: Xid (PCI:0000:74:00): {code}, pid=74, name=x")).findings == ()


@pytest.mark.parametrize("code", [48, 54, 63, 64, 79, 94, 95, 119, 120, 154])
def test_clear_on_what_another_fault_explains(code: int) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).outcome is Outcome.CLEAR


@pytest.mark.parametrize("code", [56, 81, 92, 121, 155, 162, 176])
def test_clear_on_displays_warnings_and_notes(code: int) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=logged(code))).outcome is Outcome.CLEAR


def test_clear_means_every_code_was_looked_up() -> None:
    assert all(xid(code) for code in hardware_codes())


@pytest.mark.parametrize("address", ["0000:3b:00", "0000:3B:00.0", "00000000:3B:00.0", "GPU 0000:3b:00.0: x"])
def test_all_spellings_of_an_address_name_one_gpu(address: str) -> None:
    assert slot(address) == "0000:3b:00"


def test_claims_nothing_when_the_kernel_log_is_denied() -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"})).outcome is Outcome.SKIPPED
