"""nvswitch-sxid-error"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as whole
from tests.conftest import judge, recording, text

FAULT = "nvswitch-sxid-error"
LINE = "nvidia-nvswitch2: SXid (PCI:0000:84:00.0): {}, {}, Link 30 some unit failed"


def logged(*seen: tuple[int, str], **more: Any) -> dict[str, Any]:
    row = {"device": "0000:84:00.0", "seconds": 9.0, "pid": None, "process": None}
    return {"sxids": [row | {"code": code, "text": LINE.format(code, how)} for code, how in seen]} | more


@pytest.mark.parametrize(
    ("code", "says"), [(20034, "ltssm"), (10003, "reset all GPUs and NVSwitches"), (99999, "99999")]
)
def test_fires_on_what_the_line_calls_fatal(code: int, says: str) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged((code, "Fatal")))).findings

    assert (finding.subject, finding.certainty) == ("nvswitch:0000:84:00", Certainty.LIKELY)
    assert (finding.variant, "link 30" in finding.summary.say("en")) == (f"sxid-{code}", True)
    assert finding.remedy is not None
    assert says in finding.summary.say("en") + finding.remedy.summary.say("en")


def test_fires_once_for_a_switch_and_points_at_the_first() -> None:
    log = logged((12028, "Non-fatal"), (20034, "Fatal"), (20034, "Fatal"))
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=log)).findings

    assert [e.path for e in finding.evidence] == ["kernel_log.sxids[1].text", "kernel_log.sxids[2].text"]


def test_fires_on_a_line_of_text() -> None:
    [finding] = judge(FAULT, text("[ 900.1] " + LINE.format(22013, "Fatal"))).findings

    assert finding.subject == "nvswitch:0000:84:00.0"


def test_it_is_the_cause_of_the_xid_that_follows() -> None:
    row = {"device": "0000:00:06", "seconds": 9.1, "pid": None, "process": None, "code": 74}
    log = logged((20034, "Fatal"), xids=[row | {"text": "NVRM: Xid (PCI:0000:00:06): 74, detail"}])

    diagnosis = whole(recording("h200-healthy", kernel_log=log))

    assert [cause.finding.fault for cause in diagnosis.causes] == [FAULT]
    assert [effect.finding.fault for effect in diagnosis.consequences] == ["gpu-xid-error"]


@pytest.mark.parametrize("code", [10004, 11012, 20034, 22013])
def test_clear_on_what_the_line_calls_non_fatal(code: int) -> None:
    log = logged((code, "Non-fatal"), (code, "Severity 1 Engine instance 30"))

    assert judge(FAULT, recording("h200-healthy", kernel_log=log)).outcome is Outcome.CLEAR
    assert judge(FAULT, text(LINE.format(code, "Non-fatal"))).findings == ()


def test_claims_nothing_when_the_log_is_unread() -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"})).outcome is Outcome.SKIPPED
