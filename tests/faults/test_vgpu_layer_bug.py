"""vgpu-layer-bug"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vgpu-layer-bug"
SAID = (
    (
        (
            "[HAMI-core ERROR (pid:7 thread=140 allocator.c:53)]: Device 0 OOM 18446744073701163008 / "
            "17179869184"
        ),
    ),
    (
        "[HAMI-core ERROR (pid:8 thread=140 allocator.c:53)]: Device 0 OOM 17448304640 / 17179869184",
        "# note: the same pod runs with CUDA_DISABLE_CONTROL=true",
    ),
    (
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 40.00 MiB. GPU 0 has a total "
            "capacity of 15.99 GiB of which 14.20 GiB is free."
        ),
        "# note: under HAMi with a whole card",
    ),
    (
        "# note: hami 容器里显存不足报错，但 nvidia-smi 在宿主机上看还有 20G 空闲，关闭 hami 限制后正常",
        "RuntimeError: CUDA error: out of memory",
    ),
    (
        (
            "# vgpu plugin: used memory in the container never decreases although the process freed it, "
            "then OOM"
        ),
        "container: k8s",
    ),
)
OTHERS = (
    (
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total "
            "capacity of 79.10 GiB of which 1.50 GiB is free."
        ),
    ),
    (
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
            "capacity of 4.00 GiB of which 1.50 GiB is free."
        ),
        "# note: pod with nvidia.com/gpumem: 4096 under HAMi",
    ),
    (
        "[HAMI-core Msg(30:140:libvgpu.c:836)]: Initializing.....",
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
