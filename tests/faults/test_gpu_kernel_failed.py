"""gpu-kernel-failed"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording


def failed(words: str) -> dict[str, object]:
    return {"devices": {"0": {"ok": False, "error": words}}}


def test_fires_on_the_gpu_whose_computation_failed() -> None:
    second = {"devices": {"1": {"name": "x", "capability": "9.0", "ok": False, "error": "wrong result: 3"}}}

    [finding] = judge("gpu-kernel-failed", recording("h200-healthy", torch_trial=second)).findings

    assert (finding.subject, finding.certainty) == ("gpu:1", Certainty.CERTAIN)
    assert "wrong result: 3" in finding.summary.say("zh")


@pytest.mark.parametrize(
    "words",
    ["OutOfMemoryError: CUDA out of memory. Tried", "CUDA-capable device(s) is/are busy or unavailable"],
)
def test_fires_only_as_possible_when_the_gpu_may_be_in_use(words: str) -> None:
    [finding] = judge("gpu-kernel-failed", recording("h200-healthy", torch_trial=failed(words))).findings

    assert (finding.certainty, finding.variant) == (Certainty.POSSIBLE, "in-use")


def test_clear_when_every_gpu_computed() -> None:
    assert judge("gpu-kernel-failed", recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_when_no_gpu_was_tried() -> None:
    busy = {"devices": ..., "unread": {"devices": "busy"}}

    verdict = judge("gpu-kernel-failed", recording("h200-healthy", torch_trial=busy))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial.devices: busy")
