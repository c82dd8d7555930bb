"""env-name-deprecated"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "env-name-deprecated"
SAID = (
    (
        (
            "[W1201 10:00:00.000000001 AllocatorConfig.cpp:28] Warning: PYTORCH_CUDA_ALLOC_CONF is "
            "deprecated, use PYTORCH_ALLOC_CONF instead (function operator())"
        ),
    ),
    (
        (
            "[W Utils.hpp:133] Warning: Environment variable NCCL_BLOCKING_WAIT is deprecated; use "
            "TORCH_NCCL_BLOCKING_WAIT instead (function getCvarInt)"
        ),
    ),
    (
        (
            "FutureWarning: Using `TRANSFORMERS_CACHE` is deprecated and will be removed in v5 of "
            "Transformers. Use `HF_HOME` instead."
        ),
    ),
    ("WARNING 12-01 10:00:00 [envs.py:1] Unknown vLLM environment variable detected: VLLM_USE_V1",),
    ("# note: 升级之后环境变量 NCCL_ASYNC_ERROR_HANDLING 已改名，旧的不再生效",),
    (
        "export VLLM_ATTENTION_BACKEND=FLASHINFER",
        "# has no effect: the variable was removed in this version, vLLM picks another backend",
    ),
    (
        "transformers: 5.0",
        "# note: TRANSFORMERS_CACHE is no longer read, models land in the home folder again",
    ),
    ("# note: vllm 升级后 VLLM_ATTENTION_BACKEND 不再生效",),
)
OTHERS = (
    (
        (
            "DeprecationWarning: torch.cuda.amp.autocast(args...) is deprecated. Please use "
            "torch.amp.autocast instead."
        ),
    ),
    ("WARNING [envs.py:1] Unknown vLLM environment variable detected: VLLM_BUILD_COMMIT",),
    ("NCCL_DEBUG=INFO torchrun train.py",),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_as_a_risk(lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.kind is Kind.RISK


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_a_deprecated_name_is_no_cause_of_a_hang() -> None:
    lines = (
        "Warning: Environment variable NCCL_ASYNC_ERROR_HANDLING is deprecated; "
        "use TORCH_NCCL_ASYNC_ERROR_HANDLING instead",
        "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE) ran for 600000",
    )

    assert FAULT not in [cause.finding.fault for cause in pipeline.judge(text(*lines)).causes]


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
