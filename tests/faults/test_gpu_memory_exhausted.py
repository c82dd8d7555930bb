"""gpu-memory-exhausted"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-memory-exhausted"
LINES = (
    (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a "
        "total capacity of 79.10 GiB of which 1.50 GiB is free. Including non-PyTorch memory, "
        "this process has 77.60 GiB memory in use. Of the allocated memory 76.00 GiB is "
        "allocated by PyTorch, and 512.00 MiB is reserved by PyTorch but unallocated. If "
        "reserved but unallocated memory is large try setting "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
    ),
    (
        "[rank5]: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 "
        "MiB. GPU 5 has a total capacity of 15.77 GiB of which 11.00 MiB is free."
    ),
    (
        "RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB (GPU 0; 7.79 GiB total "
        "capacity; 6.00 GiB already allocated; 700.00 MiB free; 6.20 GiB reserved in total by "
        "PyTorch)"
    ),
    "RuntimeError: CUDA out of memory occurred when warming up",
    "RuntimeError: CUDA error: out of memory",
    "NCCL WARN Cuda failure 2 'out of memory'",
    "failed to allocate 3.00GiB from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
    ("jaxlib.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes."),
    ("OOM when allocating tensor with shape[64,4096] and type float on device:GPU:0 by allocator GPU_0_bfc"),
    "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
)
OTHERS = (
    "set the batch size lower to avoid CUDA out of memory errors",
    (
        "UserWarning: Plan failed with an OutOfMemoryError: CUDA out of memory. Tried to "
        "allocate 9.00 GiB. GPU 0 has a total capacity of 23.60 GiB of which 4.00 GiB is free. "
        "(Triggered internally at Conv_v8.cpp:919.)"
    ),
    "Memory cgroup out of memory: Killed process 77 (python)",
)


@pytest.mark.parametrize("line", LINES)
def test_fires_on_a_refused_gpu_allocation(line: str) -> None:
    verdict = judge(FAULT, text("step 1", line))

    [finding] = verdict.findings
    assert finding.evidence[0].source == "train.log:2"


def test_subject_and_certainty_of_the_first_line() -> None:
    [finding] = judge(FAULT, text(LINES[0])).findings

    assert (finding.subject, finding.certainty) == ("gpu:3", Certainty.CERTAIN)


@pytest.mark.parametrize("line", OTHERS)
def test_clear_on_advice_warnings_and_host_memory(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
