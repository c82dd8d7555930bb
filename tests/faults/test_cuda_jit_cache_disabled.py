"""cuda-jit-cache-disabled"""

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text


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


TOLD = (
    (
        "ENV CUDA_CACHE_DISABLE=1",
        "# note: every pod start spends eight minutes before the first kernel runs on the gpu",
    ),
    ("# note: turned off the CUDA cache in the image, now PTX is compiled again at each start",),
    ("# note: 镜像里禁用了 CUDA 内核缓存，每次启动都要重新编译十分钟",),
)
QUIET = (
    (
        "CUDA_CACHE_DISABLE=0",
        "# note: every start takes minutes on the gpu",
    ),
    ("# note: disabled the pip cache, every build downloads torch again",),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_a_cache_that_is_off(lines: tuple[str, ...]) -> None:
    assert judge("cuda-jit-cache-disabled", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_a_cache_that_is_on(lines: tuple[str, ...]) -> None:
    assert not judge("cuda-jit-cache-disabled", text(*lines)).findings


def test_a_text_that_complains_is_trouble() -> None:
    [told] = judge("cuda-jit-cache-disabled", text(*TOLD[0])).findings

    assert told.kind is Kind.TROUBLE
