"""illegal-memory-access"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "illegal-memory-access"
KERNEL = "[ 50.1] NVRM: Xid (PCI:0000:3b:00): {code}, pid=900, name={name}, MMU Fault: ENGINE GRAPHICS"


def logged(**changes: Any) -> dict[str, Any]:
    """Return a kernel log with one Xid 31 of a training process."""
    xid = {"code": 31, "device": "0000:3b:00", "seconds": 50.0, "pid": 900, "process": "python3", "text": "x"}
    return {"xids": [xid | changes]}


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("RuntimeError: CUDA error: an illegal memory access was encountered", Certainty.CERTAIN),
        ("NCCL WARN Cuda failure 'an illegal memory access was encountered'", Certainty.CERTAIN),
        ("[700] Call to cuCtxSynchronize results in CUDA_ERROR_ILLEGAL_ADDRESS", Certainty.CERTAIN),
        (KERNEL.format(code=31, name="python3"), Certainty.LIKELY),
        (KERNEL.format(code=31, name="pt_main_thread"), Certainty.LIKELY),
    ],
)
def test_fires_on_the_words_of_cuda_and_of_the_kernel(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


def test_fires_as_possible_on_an_xid_31_of_this_boot() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged())).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:3b:00", Certainty.POSSIBLE)
    assert finding.summary.say("en").startswith("python3 ")


@pytest.mark.parametrize(
    "line",
    [
        KERNEL.format(code=31, name="gnome-shell"),
        KERNEL.format(code=79, name="python3"),
        "an illegal instruction was encountered",
    ],
)
def test_clear_on_other_lines(line: str) -> None:
    assert not judge(FAULT, text(line)).findings


@pytest.mark.parametrize("change", [{"process": "Xorg"}, {"process": None}, {"code": 43}])
def test_clear_on_other_xids(change: dict[str, Any]) -> None:
    verdict = judge(FAULT, recording("h200-healthy", kernel_log=logged(**change)))

    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_kernel_log_was_denied() -> None:
    verdict = judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "kernel_log: denied")
