"""ptx-jit-on-first-use"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text


def judged(*targets: str, ok: bool = True) -> Verdict:
    trial = {"arch_list": list(targets), "devices": {"0": {"ok": ok}}}
    return judge("ptx-jit-on-first-use", recording("h200-healthy", torch_trial=trial))


def test_fires_as_a_risk_when_only_ptx_serves_the_gpu() -> None:
    [finding] = judged("sm_80", "compute_80").findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "gpu:0")


@pytest.mark.parametrize(
    "verdict", [judged("sm_80", "sm_90", "compute_80"), judged("sm_80"), judged("compute_80", ok=False)]
)
def test_clear_with_machine_code_without_ptx_and_when_it_failed(verdict: Verdict) -> None:
    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_trial_was_not_made() -> None:
    snapshot = recording("h200-healthy", torch_trial={"state": "busy"})

    assert judge("ptx-jit-on-first-use", snapshot).outcome is Outcome.SKIPPED


def test_fires_on_a_list_that_ends_before_the_card() -> None:
    words = text(
        ">>> torch.cuda.get_arch_list()",
        "['sm_60', 'sm_70', 'compute_70']",
        "# note: 第一次 .cuda() 要等好几分钟，第二次就快",
        "gpu: RTX 3090",
    )

    assert judge("ptx-jit-on-first-use", words).outcome is Outcome.FIRED
