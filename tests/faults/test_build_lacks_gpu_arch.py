"""build-lacks-gpu-arch"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "build-lacks-gpu-arch"
NO_IMAGE = "RuntimeError: CUDA error: no kernel image is available for execution on the device"


def judged(
    capability: str, *targets: str, error: str | None = NO_IMAGE, version: str = "2.7.1+cu126"
) -> Verdict:
    row = {"name": "card", "capability": capability, "ok": error is None, "error": error}
    trial = {"arch_list": list(targets), "devices": {"0": row}}
    return judge(FAULT, recording("h200-healthy", torch={"version": version}, torch_trial=trial))


def test_fires_on_a_newer_gpu_and_proposes_a_build_that_has_it() -> None:
    [finding] = judged("12.0", "sm_80", "sm_90").findings

    assert (finding.subject, finding.certainty) == ("gpu:0", Certainty.CERTAIN)
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args["requirement"] == "torch==2.7.1+cu128"


def test_fires_less_surely_when_the_kernel_failed_with_other_words() -> None:
    [finding] = judged("12.0", "sm_90", error="RuntimeError: something").findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_when_cuda_says_so_against_the_rules() -> None:
    assert judged("9.0", "sm_90").outcome is Outcome.FIRED


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (NO_IMAGE, Certainty.CERTAIN),
        ("ggml: CUDA error 209", Certainty.CERTAIN),
        (
            "card with CUDA capability sm_120 is not compatible with the current PyTorch installation.",
            Certainty.LIKELY,
        ),
        ("Found GPU1 NVIDIA card which is of compute capability (CC) 12.0.", Certainty.LIKELY),
    ],
)
def test_fires_on_text(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "verdict",
    [
        judged("8.9", "sm_80", "sm_86", error=None),
        judged("8.9", "sm_80", "sm_86", error="RuntimeError: something"),
        judged("12.0", "sm_90", "compute_90", error="RuntimeError: something"),
        judged("12.0", "sm_90", error=None),
        judged("6.1", "sm_75", "sm_80"),
        judged("12.0", "gfx90a"),
    ],
    ids=["runs", "fails-otherwise", "ptx", "works-anyway", "too-old", "rocm"],
)
def test_clear_when_the_build_covers_the_gpu(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_clear_on_the_warning_about_an_old_gpu_and_on_other_errors() -> None:
    lines = (
        "card with CUDA capability sm_37 is not compatible with the current PyTorch installation.",
        "Found GPU0 card which is of compute capability (CC) 7.0.",
        "CUDA error 2090",
    )

    assert judge(FAULT, text(*lines)).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_gpu_was_busy() -> None:
    busy = {"devices": ..., "unread": {"devices": "busy"}}

    verdict = judge(FAULT, recording("h200-healthy", torch_trial=busy))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial.devices: busy")


@pytest.mark.parametrize(
    "lines",
    [("NCCL version 2.20.5+cuda12.4", "NCCL WARN Cuda failure 'invalid argument'", "gpu: 2x RTX 5090")],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
