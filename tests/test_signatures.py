"""What signatures say of single lines: other wordings of one kind, and lines that mean nothing."""

import pytest

from codeblue import pipeline
from codeblue.diagnose.similar import SIMILARITY
from codeblue.faults import index
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, text

LIKELY, POSSIBLE, CERTAIN = Certainty.LIKELY, Certainty.POSSIBLE, Certainty.CERTAIN

SAID = [
    ("grub-cmdline-typo", "BOOT_IMAGE=/vmlinuz root=/dev/sda2 noveau.modeset=0 quiet", LIKELY),
    ("libdevice-not-on-xla-path", "Libdevice is required by this HLO module but was not found", CERTAIN),
    ("packages-for-other-cuda-major", "Note: multiple CuPy packages are installed", POSSIBLE),
    ("allocator-config-invalid", "Unrecognized key 'x' in CUDA allocator config", CERTAIN),
    (
        "index-out-of-range-on-gpu",
        "Loss.cu:9: k: block: [0], Assertion `t >= 0 && t < n_classes` failed.",
        CERTAIN,
    ),
    (
        "index-out-of-range-on-gpu",
        "x.cu:9: Assertion `-sizes[i] <= index && index < sizes[i]` failed",
        CERTAIN,
    ),
    (
        "gpu-memory-exhausted",
        "ggml_backend_cuda: allocating 9 MiB on device 0: cudaMalloc failed: out of memory",
        CERTAIN,
    ),
    ("gpu-memory-exhausted", "CUDA error 2 at ggml-cuda.cu:35: out of memory", LIKELY),
    ("gpu-memory-exhausted", "ValueError: No available memory for the cache blocks.", LIKELY),
    (
        "gpu-memory-exhausted",
        "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`",
        POSSIBLE,
    ),
    ("cuda-runtime-library-missing", "OSError: libcudart.so: cannot open shared object file", LIKELY),
    (
        "rank-hung",
        "[3] is setting up NCCL communicator via store by key '0', but store->get('0') got error: Timeout",
        POSSIBLE,
    ),
    (
        "nvidia-smi-failed",
        "Unable to determine the device handle for GPU0: 0000:1B:00.0: Unknown Error",
        CERTAIN,
    ),
    (
        "gpu-fallen-off-bus",
        "Unable to determine the device handle for GPU0: 0000:1B:00.0: Unknown Error",
        POSSIBLE,
    ),
    (
        "nvidia-module-not-loaded",
        "nvidia-container-cli: initialization error: nvml error: driver not loaded",
        CERTAIN,
    ),
    ("nvidia-module-not-loaded", "Failed to initialize NVML: Driver Not Loaded", CERTAIN),
    ("device-node-permissions", "initialization error: nvml error: insufficient permissions", POSSIBLE),
    ("cuda-init-failed", "failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error", CERTAIN),
    ("cuda-init-failed", "cuInit(0) failed with 999", CERTAIN),
    ("shm-permissions", "n1:7:8 [0] shm.h:2 NCCL WARN Call to shm_open failed : Permission denied", LIKELY),
    ("shm-too-small", "a.cu:7: Test NCCL failure common.cu:777 'unhandled system error'", POSSIBLE),
    ("shm-too-small", "RuntimeError: NCCL Error 2: unhandled system error", POSSIBLE),
    (
        "driver-module-missing-for-running-kernel",
        "dkms autoinstall on 6.8.0-1/x86_64 failed for nvidia(10)",
        CERTAIN,
    ),
    ("driver-module-missing-for-running-kernel", "Consult /var/lib/dkms/nvidia/570.1/build/make.log", LIKELY),
    (
        "gpu-memory-held-by-other-process",
        "ValueError: Free memory on device (3.1/79.1 GiB) on startup is less than desired GPU memory",
        LIKELY,
    ),
]

MEANS_NOTHING = [
    "Assertion `input_val >= zero && input_val <= one` failed",
    "Assertion `window_count > 0` failed.",
    "cuInit returned 0",
    "failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected",
    "dlerror: libcudart.so: cannot open shared object file",
    "dkms autoinstall on 6.8.0-1/x86_64 failed for zfs(10)",
    "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
    "Consult /var/lib/dkms/virtualbox/7.0/build/make.log",
    "INFO: Unable to initialize backend 'tpu': module not found",
]


@pytest.mark.parametrize(("fault", "line", "certainty"), SAID)
def test_a_line_is_understood(fault: str, line: str, certainty: Certainty) -> None:
    [finding] = judge(fault, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("line", MEANS_NOTHING)
def test_a_line_that_means_nothing_is_no_trouble(line: str) -> None:
    assert all(c.finding.variant == SIMILARITY for c in pipeline.judge(text(line)).causes)


def test_what_only_a_note_says_is_merely_possible() -> None:
    [finding] = judge("gpu-memory-exhausted", text("# note: CUDA error: out of memory since noon")).findings

    assert finding.certainty is POSSIBLE
    both = text("# note: CUDA error: out of memory", "RuntimeError: CUDA error: out of memory")
    [finding] = judge("gpu-memory-exhausted", both).findings
    assert (finding.certainty, len(finding.evidence)) == (LIKELY, 1)


def test_a_specific_line_explains_the_general_one() -> None:
    """Whatever is the cause, the line that follows from it is not another one."""
    pairs = {
        "packages-for-other-cuda-major": "libonnxruntime_providers_cuda.so with error: "
        "libcublasLt.so.11: cannot open shared object file",
        "more-ranks-than-gpus": "You requested gpu: [0, 1]\nCUDA error: invalid device ordinal",
        "cuda-home-malformed": "No such file or directory: '/a:/b/bin/nvcc'",
        "confidential-computing-gpu-not-ready": "Confidential Compute GPUs Ready state: not-ready\n"
        "Error 802: system not yet initialized",
    }

    causes = {fault: _causes(text(*lines.splitlines())) for fault, lines in pairs.items()}

    assert causes == {fault: [fault] for fault in pairs}


def test_every_fault_stays_silent_on_an_empty_text() -> None:
    assert all(judge(fault, text("")).outcome is not Outcome.FIRED for fault in index.entries())


def _causes(snapshot: Snapshot) -> list[str]:
    return [cause.finding.fault for cause in pipeline.judge(snapshot).causes]
