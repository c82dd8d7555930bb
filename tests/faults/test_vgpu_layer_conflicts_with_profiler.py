"""vgpu-layer-conflicts-with-profiler"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vgpu-layer-conflicts-with-profiler"
SAID = (
    ("[HAMI-core Warn(77:140000000000000:libvgpu.c:94)]: recursive dlsym : dlsym",),
    (
        "$ ncu --set full python infer.py",
        "# note: hangs in a pod with nvidia.com/gpumem (HAMi); without vGPU the profile is written",
    ),
    ("# note: 在 vgpu 容器里用 nsys 分析会卡住，export CUDA_DISABLE_CONTROL=true 也没有用",),
    (
        "Segmentation fault (core dumped)",
        "# Nsight Compute under libvgpu.so",
    ),
)
OTHERS = (
    (
        (
            "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
            "Performance Counters"
        ),
        "# hami node, ncu",
    ),
    (
        "INFO worker.py: Memory profiling takes 3.2 seconds",
        "container: HAMi",
        "torch.OutOfMemoryError: CUDA out of memory.",
    ),
    (
        "$ nsys profile python train.py",
        "step 1 loss 2.0",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
