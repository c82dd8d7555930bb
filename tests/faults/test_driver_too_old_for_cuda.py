"""driver-too-old-for-cuda"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAILED = {"available": False, "words": "The NVIDIA driver on your system is too old (found version 12020)"}


def judged(module: str, has: int, wanted: str, **changes: Any) -> Verdict:
    broken = {
        "driver": {"module_version": module},
        "cuda": {"driver_version": has},
        "torch": {"cuda": wanted},
        "torch_trial": FAILED,
    } | changes
    return judge("driver-too-old-for-cuda", recording("h200-healthy", **broken))


def test_fires_across_a_major_version() -> None:
    [finding] = judged("535.309.01", 12020, "13.0").findings

    assert finding.certainty is Certainty.CERTAIN
    assert (finding.summary.values["has"], finding.summary.values["wanted"]) == ("12.2", "13.0")


def test_fires_less_surely_when_torch_does_not_say_it() -> None:
    [finding] = judged("535.309.01", 12020, "13.0", torch_trial={"available": False}).findings

    assert finding.certainty is Certainty.LIKELY


def test_fires_without_a_kernel_driver_of_its_own_as_in_wsl() -> None:
    [finding] = judged("", 12020, "13.0", driver={"state": "absent"}).findings

    assert finding.summary.values["module"] == "-"


@pytest.mark.parametrize(
    "line",
    [
        "UserWarning: The NVIDIA driver on your system is too old (found version 11040). Please update",
        "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update",
        "       version 510.85.02 was detected and compatibility mode is UNAVAILABLE.",
        "RuntimeError: CUDA driver version is insufficient for CUDA runtime version",
    ],
)
def test_fires_on_the_words_of_torch_and_of_containers(line: str) -> None:
    assert judge("driver-too-old-for-cuda", text(line)).outcome is Outcome.FIRED


def test_clear_within_a_major_version_where_the_rules_allow_it() -> None:
    assert judged("525.60.13", 12000, "12.8").outcome is Outcome.CLEAR
    assert judged("", 12020, "12.8", driver={"state": "absent"}).outcome is Outcome.CLEAR


def test_clear_when_torch_works_or_the_driver_is_newer_or_the_build_has_no_cuda() -> None:
    assert judged("535.309.01", 12020, "13.0", torch_trial={"available": True}).outcome is Outcome.CLEAR
    assert judged("580.159.04", 13000, "12.8").outcome is Outcome.CLEAR
    assert judged("580.159.04", 13000, "13.0").outcome is Outcome.CLEAR
    assert judged("535.309.01", 12020, "13.0", torch={"cuda": None}).outcome is Outcome.CLEAR


def test_fires_less_surely_without_a_trial() -> None:
    [finding] = judged("535.309.01", 12020, "13.0", torch_trial={"state": "not-attempted"}).findings

    assert finding.certainty is Certainty.LIKELY
    assert [e.path for e in finding.evidence] == ["cuda.driver_version", "torch.cuda"]


def test_claims_nothing_without_a_trial_when_the_versions_fit() -> None:
    verdict = judged("580.159.04", 13000, "13.0", torch_trial={"state": "busy"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial: busy")


SAID = (
    (
        ">>> torch.cuda.is_available()",
        "False",
        "# note: nvidia-smi shows CUDA Version: 11.4",
        "driver: 470.57",
        "torch: 2.1.0+cu121",
    ),
    ("# note: 驱动太旧，只支持到 CUDA 11.2，装了 cu118 的 torch 之后 is_available 是 False",),
    (
        "cuInit(0) returned 803",
        "driver: 460.32",
        "container: nvcr.io/nvidia/pytorch:22.05",
    ),
)
NEAR = (
    "RuntimeError: CUDA error: no kernel image is available for execution on the device",
    "driver: 535.161",
    "torch: 2.3.0+cu121",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("driver-too-old-for-cuda", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("driver-too-old-for-cuda", text(*NEAR)).outcome is not Outcome.FIRED


def test_clear_when_the_compat_folder_is_on_the_path() -> None:
    words = text(
        "Error 803: system has unsupported display driver / cuda driver combination",
        "LD_LIBRARY_PATH=/usr/local/cuda-12.4/compat:/usr/local/lib",
        "container: docker",
    )

    assert judge("driver-too-old-for-cuda", words).outcome is not Outcome.FIRED
