"""benign-three-cuda-versions"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-three-cuda-versions"


def test_fires_as_harmless_when_the_numbers_differ_and_a_kernel_ran() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", torch={"cuda": "12.6"})).findings

    assert finding.kind is Kind.HARMLESS
    assert "up to 13.0, PyTorch brings CUDA 12.6" in finding.summary.say("en")


def test_clear_when_the_numbers_are_equal() -> None:
    assert judge(FAULT, recording("h200-healthy")).outcome is Outcome.CLEAR


def test_clear_on_a_build_without_cuda() -> None:
    assert judge(FAULT, recording("h200-healthy", torch={"cuda": None})).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "trial",
    [{"available": False}, {"error": "RuntimeError: x"}, {"devices": {"0": {"ok": False}}}],
)
def test_clear_when_the_trial_did_not_work(trial: dict[str, Any]) -> None:
    snapshot = recording("h200-healthy", torch={"cuda": "12.6"}, torch_trial=trial)

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_trial_was_not_run() -> None:
    snapshot = recording("h200-healthy", torch={"cuda": "12.6"}, torch_trial={"state": "timeout"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NVIDIA-SMI 570.86   Driver Version: 570.86   CUDA Version: 12.8",
            "nvidia-cuda-runtime-cu12 12.4.127",
            "# note: it trains; do they need to match?",
        )
    ],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings
