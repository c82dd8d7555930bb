"""cuda-jit-cache-disabled"""

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording


def judged(value: str, *targets: str) -> Verdict:
    variables = {"variables": {"CUDA_CACHE_DISABLE": value}}
    trial = {"arch_list": list(targets)}
    return judge(
        "cuda-jit-cache-disabled", recording("h200-healthy", environment=variables, torch_trial=trial)
    )


def test_fires_as_a_risk_when_the_gpu_needs_compiled_kernels() -> None:
    [finding] = judged("1", "sm_80", "compute_80").findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "env:CUDA_CACHE_DISABLE")


def test_clear_when_nothing_is_compiled_or_the_cache_is_on() -> None:
    assert judged("1", "sm_90").outcome is Outcome.CLEAR
    assert judged("0", "sm_80", "compute_80").outcome is Outcome.CLEAR


def test_claims_nothing_when_the_environment_was_not_read() -> None:
    snapshot = recording("h200-healthy", environment={"state": "error"})

    assert judge("cuda-jit-cache-disabled", snapshot).outcome is Outcome.SKIPPED
