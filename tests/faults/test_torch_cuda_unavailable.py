"""torch-cuda-unavailable"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

BLIND = {"available": False, "count": 0, "devices": {}}
WSL = {
    "host": {"wsl": True},
    "pci": {"functions": {}, "nvidia_gpus": []},
    "driver": {"state": "absent"},
    "container": {"state": "absent"},
}


def test_fires_when_a_cuda_build_sees_no_gpu_although_one_is_on_the_bus() -> None:
    [finding] = judge("torch-cuda-unavailable", recording("h200-healthy", torch_trial=BLIND)).findings

    assert finding.subject == "torch"
    assert [e.path for e in finding.evidence] == ["torch_trial.available", "torch.cuda", "pci.nvidia_gpus"]
    assert finding.next_command is not None


def test_fires_in_wsl_where_the_driver_library_stands_for_the_gpu() -> None:
    [finding] = judge("torch-cuda-unavailable", recording("h200-healthy", torch_trial=BLIND, **WSL)).findings

    assert finding.evidence[2].path == "loader[libcuda.so.1].path"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("RuntimeError: No CUDA GPUs are available", Certainty.CERTAIN),
        ("RuntimeError: Found no NVIDIA driver on your system. Please check", Certainty.CERTAIN),
        ("init.py:180: UserWarning: CUDA initialization: Unexpected error", Certainty.CERTAIN),
        ("torch.cuda.is_available(): False", Certainty.LIKELY),
        ("Attempting to deserialize but torch.cuda.is_available() is False.", Certainty.LIKELY),
        ("Is CUDA available: False", Certainty.POSSIBLE),
    ],
)
def test_fires_on_the_words_of_torch(line: str, certainty: Certainty) -> None:
    [finding] = judge("torch-cuda-unavailable", text("epoch 0", line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"torch_trial": BLIND, "torch": {"cuda": None}},
        {"torch_trial": BLIND, "pci": {"functions": {}, "nvidia_gpus": []}},
        {"torch_trial": {"imported": False, "error": "ImportError: x"}},
        {"torch_trial": BLIND, "torch": {"state": "absent"}},
    ],
    ids=["healthy", "cpu-build", "no-gpu", "not-imported", "no-torch"],
)
def test_clear_where_nothing_is_expected_of_torch(changes: dict[str, object]) -> None:
    assert judge("torch-cuda-unavailable", recording("h200-healthy", **changes)).outcome is Outcome.CLEAR


def test_clear_on_lines_that_say_yes_or_only_ask() -> None:
    lines = ("Is CUDA available: True", "assert torch.cuda.is_available()", "torch.cuda.is_available() True")

    assert judge("torch-cuda-unavailable", text(*lines)).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_gpu_was_busy() -> None:
    busy = {"available": ..., "unread": {"available": "busy"}}

    verdict = judge("torch-cuda-unavailable", recording("h200-healthy", torch_trial=busy))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial.available: busy")


def test_fires_when_the_loader_was_not_read() -> None:
    snapshot = recording("h200-healthy", torch_trial=BLIND, loader={"state": "error"})

    assert judge("torch-cuda-unavailable", snapshot).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "lines",
    [("UserWarning: CUDA initialization: Found no NVIDIA driver on your system.",)],
)
def test_fires_in_other_words(lines: tuple[str, ...]) -> None:
    assert judge("torch-cuda-unavailable", text(*lines)).findings


@pytest.mark.parametrize(
    "lines",
    [("#9 2.101 UserWarning: CUDA initialization: Found no NVIDIA driver on your system.",)],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge("torch-cuda-unavailable", text(*lines)).findings
