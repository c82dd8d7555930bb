"""gpu-reset-required"""

import pytest

from codeblue.model.fault import Severity
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "gpu-reset-required"


def wanting(action: int) -> Snapshot:
    return recording("h200-healthy", nvml={"gpus": {"0": {"recovery_action": action}}})


@pytest.mark.parametrize(
    ("action", "variant", "verb"),
    [
        (1, "gpu-reset", Verb.INSTRUCT),
        (2, "node-reboot", Verb.REBOOT),
        (4, "drain-and-reset", Verb.INSTRUCT),
        (7, "system-reboot", Verb.REBOOT),
    ],
)
def test_fires_and_names_the_action(action: int, variant: str, verb: Verb) -> None:
    [finding] = judge(FAULT, wanting(action)).findings

    assert (finding.subject, finding.variant) == ("gpu:0", variant)
    assert finding.remedy is not None and finding.remedy.steps[0].verb is verb
    assert finding.remedy.automation is not Automation.AUTOMATIC


def test_fires_as_a_warning_when_only_peer_traffic_must_stop() -> None:
    assert judge(FAULT, wanting(3)).findings[0].severity is Severity.WARNING


def test_fires_on_an_action_that_the_table_does_not_know() -> None:
    assert "42" in judge(FAULT, wanting(42)).findings[0].summary.say("en")


def test_fires_when_nvml_refuses_a_handle_before_a_reset() -> None:
    rows = {"0": {}, "1": {"handle": 16}, "2": {"handle": 15}}

    [finding] = judge(FAULT, recording("h200-healthy", nvml={"gpus": rows})).findings

    assert (finding.subject, finding.variant) == ("gpu:1", "gpu-reset")
    assert [(e.path, e.value) for e in finding.evidence] == [("nvml[1].handle", 16)]


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)",
        "NVRM: Xid (PCI:0000:3b:00): 154, pid=5, name=x, GPU recovery action changed from None to GPU Reset",
        "    GPU Recovery Action                   : Drain and Reset",
        "Unable to determine the device handle for GPU1: 0000:3B:00.0: GPU requires reset",
    ],
)
def test_fires_on_text(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_when_no_action_is_wanted() -> None:
    assert judge(FAULT, wanting(0)).outcome is Outcome.CLEAR
    back = "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x1 (GPU Reset) to 0x0 (None)"
    none = "    GPU Recovery Action                   : None"
    assert judge(FAULT, text(back, none)).findings == ()


def test_claims_nothing_on_drivers_that_do_not_tell() -> None:
    snapshot = recording("h200-healthy", nvml={"gpus": {"0": {"recovery_action": ...}}})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
