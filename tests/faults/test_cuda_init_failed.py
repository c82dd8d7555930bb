"""cuda-init-failed"""

from typing import Any

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording

WSL: dict[str, Any] = {"host": {"wsl": True}, "pci": {"nvidia_gpus": []}}


def test_fires_with_the_name_of_the_code() -> None:
    [finding] = judge("cuda-init-failed", recording("h200-healthy", cuda={"init": 999})).findings

    assert finding.summary.values == {"code": "999", "name": "CUDA_ERROR_UNKNOWN"}


def test_fires_under_wsl_although_the_bus_shows_no_gpu() -> None:
    assert judge("cuda-init-failed", recording("h200-healthy", cuda={"init": 999}, **WSL)).findings


def test_clear_when_no_device_is_the_right_answer() -> None:
    bare: dict[str, Any] = {"pci": {"nvidia_gpus": []}}
    for change in (bare, WSL):
        snapshot = recording("h200-healthy", cuda={"init": 100}, **change)

        assert judge("cuda-init-failed", snapshot).outcome is Outcome.CLEAR


def test_clear_when_cuda_starts() -> None:
    assert judge("cuda-init-failed", recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_when_cuda_was_not_tried() -> None:
    verdict = judge("cuda-init-failed", recording("h200-healthy", cuda={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")
