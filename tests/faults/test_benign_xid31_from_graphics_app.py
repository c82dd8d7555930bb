"""benign-xid31-from-graphics-app"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-xid31-from-graphics-app"
LINE = "[ 50.1] NVRM: Xid (PCI:0000:01:00): 31, pid=900, name={}, Ch 00000008"


def logged(process: str, code: int = 31) -> dict[str, Any]:
    """Return a kernel log with two Xids of one process."""
    xid = {"code": code, "device": "0000:01:00", "seconds": 9.0, "pid": 9, "process": process, "text": "x"}
    return {"xids": [xid, xid]}


def test_fires_once_for_a_desktop_program_in_the_kernel_log() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged("gnome-shell"))).findings

    assert finding.kind is Kind.HARMLESS
    assert "gnome-shell" in finding.summary.say("en")


@pytest.mark.parametrize("process", ["Xorg", "firefox", "kwin_wayland"])
def test_fires_on_the_line_in_a_text(process: str) -> None:
    assert judge(FAULT, text(LINE.format(process))).outcome is Outcome.FIRED


@pytest.mark.parametrize("log", [logged("python3"), logged("Xorg", code=79)])
def test_clear_on_compute_jobs_and_other_xids(log: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=log)).outcome is Outcome.CLEAR


def test_clear_on_the_line_of_a_compute_job() -> None:
    assert not judge(FAULT, text(LINE.format("python3"))).findings


def test_claims_nothing_when_the_kernel_log_was_denied() -> None:
    verdict = judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"}))

    assert verdict.outcome is Outcome.SKIPPED


def test_fires_on_a_name_with_a_capital() -> None:
    words = text(
        "NVRM: Xid (PCI:0000:01:00): 31, pid=77, name=Slack, Ch 0000001e",
    )

    assert judge("benign-xid31-from-graphics-app", words).outcome is Outcome.FIRED
