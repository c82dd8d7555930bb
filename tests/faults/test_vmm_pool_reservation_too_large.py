"""vmm-pool-reservation-too-large"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vmm-pool-reservation-too-large"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "CUDA error: out of memory",
            "  current device: 0, in function alloc at ggml-cuda.cu:501",
            "  cuMemAddressReserve(&pool_addr, CUDA_POOL_VMM_MAX_SIZE, 0, 0, 0)",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: CUDA error: out of memory since the release that brought the VMM pool, "
                "on a Jetson with free memory"
            ),
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "CUDA error: out of memory",
            "# 怀疑是新的显存池预留的虚拟地址太大，用 -DGGML_CUDA_NO_VMM=ON 编译后正常",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            "CUDA error: out of memory",
            "  current device: 0, in function alloc at /job/ggml-cuda.cu:6600",
        ),
    ),
)
OTHERS = (
    (
        "CUDA error: out of memory",
        "  current device: 0, in function alloc at ggml-cuda.cu:501",
        "  cuMemCreate(&handle, reserve_size, &prop, 0)",
    ),
    (
        "  Device 0: NVIDIA GeForce RTX 3060, compute capability 8.6, VMM: yes",
        (
            "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: "
            "cudaMalloc failed: out of memory"
        ),
    ),
)
WITH_SYMPTOMS = (
    (
        "CUDA error: out of memory",
        "  cuMemAddressReserve(&pool_addr, CUDA_POOL_VMM_MAX_SIZE, 0, 0, 0)",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_refused_reservation(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_full_card(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
