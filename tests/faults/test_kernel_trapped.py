"""kernel-trapped"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "kernel-trapped"
KERNEL = "[ 50.1] NVRM: Xid (PCI:0000:3b:00): {code}, pid='900', name={name}, Ch 00000008"


def logged(*codes: int, process: str | None = "python3") -> dict[str, Any]:
    """Return a kernel log with these Xids of one process."""
    return {
        "xids": [
            {"code": code, "device": "0000:3b:00", "seconds": 9.0, "pid": 9, "process": process, "text": "x"}
            for code in codes
        ]
    }


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("RuntimeError: CUDA error: device-side assert triggered", Certainty.CERTAIN),
        ("THCudaCheck FAIL error=59 : device-side assert triggered", Certainty.CERTAIN),
        ("CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure", Certainty.LIKELY),
        ("RuntimeError: CUDA error: misaligned address", Certainty.LIKELY),
        ("RuntimeError: CUDA error: an illegal instruction was encountered", Certainty.LIKELY),
        (KERNEL.format(code=13, name="python3"), Certainty.LIKELY),
        (KERNEL.format(code=43, name="ray::Worker"), Certainty.LIKELY),
    ],
)
def test_fires_on_the_words_of_cuda_and_of_the_kernel(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


def test_fires_once_for_a_process_as_possible_on_xids_of_this_boot() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", kernel_log=logged(13, 43, 43))).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:3b:00", Certainty.POSSIBLE)


@pytest.mark.parametrize(
    "line",
    [
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
        KERNEL.format(code=31, name="python3"),
        KERNEL.format(code=13, name="Xorg"),
    ],
)
def test_clear_on_other_lines(line: str) -> None:
    assert not judge(FAULT, text(line)).findings


@pytest.mark.parametrize("log", [logged(31, 79), logged(13, process="firefox"), logged(43, process=None)])
def test_clear_on_other_xids(log: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", kernel_log=log)).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_kernel_log_was_denied() -> None:
    verdict = judge(FAULT, recording("h200-healthy", kernel_log={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "kernel_log: denied")
