"""gpu-arch-dropped-from-wheels"""

import pytest

from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "gpu-arch-dropped-from-wheels"


def judged(capability: str, ok: bool = False) -> Verdict:
    row = {"name": "old card", "capability": capability, "ok": ok, "error": "no kernel image is available"}
    return judge(FAULT, recording("h200-healthy", torch_trial={"devices": {"0": row}}))


def test_fires_on_a_gpu_older_than_the_build_and_proposes_an_older_cuda() -> None:
    [finding] = judged("6.1").findings

    assert finding.subject == "gpu:0"
    assert "starts at 7.5" in finding.summary.say("en")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {
        "python": "/opt/torch/.venv/bin/python3",
        "requirement": "torch==2.11.0+cu126",
        "index": "https://download.pytorch.org/whl/cu126",
    }


@pytest.mark.parametrize(
    "line",
    [
        "    PyTorch no longer supports this GPU because it is too old.",
        "Tesla K80 with CUDA capability sm_37 is not compatible with the current PyTorch installation.",
        "Found GPU0 Tesla V100 which is of compute capability (CC) 7.0.",
    ],
)
def test_fires_on_the_warning_of_torch(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.FIRED


def test_clear_on_a_gpu_that_computes_or_is_too_new() -> None:
    newer = "card with CUDA capability sm_120 is not compatible with the current PyTorch installation."

    assert judged("6.1", ok=True).outcome is Outcome.CLEAR
    assert judged("15.0").outcome is Outcome.CLEAR
    assert judge(FAULT, text(newer)).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_targets_are_unknown() -> None:
    row = {"name": "x", "capability": "6.1", "ok": False, "error": "x"}
    trial = {"arch_list": ..., "devices": {"0": row}}

    assert judge(FAULT, recording("h200-healthy", torch_trial=trial)).outcome is Outcome.SKIPPED


def test_clear_on_the_arch_list_of_a_build() -> None:
    words = text(
        "no kernel image is available for execution on the device",
        "['sm_37', 'sm_50', 'sm_70']",
        "gpu: A100",
        "torch: 1.7",
    )

    assert judge("gpu-arch-dropped-from-wheels", words).outcome is not Outcome.FIRED
