"""Reports about the framework, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "allocator-config-invalid",
        "RuntimeError: Unrecognized CachingAllocator option: expandable_segment",
    ),
    (
        "cuda-jit-cache-disabled",
        (
            "# note: each start takes 10 minutes until the first kernel; "
            "CUDA_CACHE_DISABLE=1 was set in the site profile"
        ),
    ),
    (
        "gpu-arch-dropped-from-wheels",
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "# note: Tesla K40, pip wheel",
        "gpu: Tesla K40",
    ),
    (
        "gpu-arch-dropped-from-wheels",
        "# GTX 1060 用 torch 2.8 cu129 报 no kernel image，是不是不再支持这张老卡",
        "gpu: GTX 1060",
    ),
    (
        "nvrtc-older-than-gpu",
        "ptxas fatal   : Value 'sm_121' is not defined for option 'gpu-name'",
    ),
    (
        "ptx-jit-on-first-use",
        (
            "# note: first .cuda() call takes 3 minutes on a new RTX 3090, later calls are "
            "instant; pytorch built for cuda 10"
        ),
        "gpu: RTX 3090",
    ),
    (
        "tensorrt-engine-built-with-other-version",
        (
            "[TRT] [E] 6: The engine plan file is not compatible with this version of "
            "TensorRT, expecting library version 8.6.1.6 got 8.5.2.2, please rebuild."
        ),
    ),
    (
        "triton-unsupported-on-old-gpu",
        (
            "RuntimeError: Found Tesla P100-PCIE-16GB which is too old to be supported by "
            "the triton GPU compiler, which is used as the backend."
        ),
    ),
    (
        "wsl-pinned-memory-limit",
        "RuntimeError: CUDA error: out of memory",
        "# note: WSL2; happens at pin_memory=True with plenty of VRAM free",
        "os: WSL2",
    ),
    (
        "allocator-config-invalid",
        "RuntimeError: Error parsing CachingAllocator settings",
        "# PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb=128",
    ),
    (
        "cuda-jit-cache-disabled",
        (
            "# CUDA_CACHE_DISABLE=1 in the image, so every container start recompiles "
            "kernels from PTX for ten minutes"
        ),
    ),
    (
        "gpu-arch-dropped-from-wheels",
        "Found GPU0 Quadro K4000 which is of cuda capability 3.0.",
        "PyTorch no longer supports this GPU because it is too old.",
    ),
    (
        "gpu-arch-dropped-from-wheels",
        (
            "Ignoring visible gpu device (device: 0, name: GeForce GT 730, pci bus id: "
            "0000:01:00.0, compute capability: 3.5) with Cuda compute capability 3.5. The "
            "minimum required Cuda capability is 3.7."
        ),
    ),
    (
        "gpu-arch-dropped-from-wheels",
        "nvcc fatal   : Unsupported gpu architecture 'compute_35'",
    ),
    (
        "nvrtc-older-than-gpu",
        "nvcc fatal   : Unsupported gpu architecture 'compute_90'",
        "# H100 with toolkit 11.5",
        "gpu: H100",
    ),
    (
        "ptx-jit-on-first-use",
        (
            "TensorFlow was not built with CUDA kernel binaries compatible with compute "
            "capability 12.0. CUDA kernels will be jit-compiled from PTX, which could take "
            "30 minutes or longer."
        ),
    ),
    (
        "ptx-jit-on-first-use",
        "# 第一次 .cuda() 要等五分钟，之后就很快；新卡 A100，torch 是 cuda 10.1 编译的",
        "gpu: A100",
    ),
    (
        "tensorrt-engine-built-with-other-version",
        (
            "[TRT] [E] 1: [stdArchiveReader.cpp::StdArchiveReader::40] Error Code 1: "
            "Serialization (Serialization assertion stdVersionRead == serializationVersion "
            "failed.Version tag does not match. Note: Current Version: 213, Serialized "
            "Engine Version: 205)"
        ),
    ),
    (
        "triton-unsupported-on-old-gpu",
        "# torch.compile on a GTX 1080 Ti falls back, triton does not support the card",
    ),
    (
        "wsl-pinned-memory-limit",
        "could not allocate pinned host memory of size: 2147483648",
        "# WSL",
    ),
    (
        "cuda-jit-cache-disabled",
        "# 每次启动都要编译十分钟，环境里有 CUDA_CACHE_DISABLE=1",
    ),
    (
        "gpu-arch-dropped-from-wheels",
        "# note: V100, torch 2.8 with cu129: no kernel image is available",
        "gpu: Tesla V100",
    ),
    (
        "gpu-arch-dropped-from-wheels",
        "RuntimeError: GPUs with compute capability below 7.0 are not supported",
        "gpu: P100",
    ),
    (
        "nvrtc-older-than-gpu",
        "nvrtc: error: invalid value for --gpu-architecture (-arch)",
        "# 4090 配 torch 1.10",
    ),
    (
        "ptx-jit-on-first-use",
        (
            "# note: on a new card (RTX 3080, torch with CUDA 10.2) model.to('cuda') hangs "
            "for several minutes the first time, then fine"
        ),
    ),
    (
        "tensorrt-engine-built-with-other-version",
        "# note: .engine cached from TensorRT 8.4 loaded by 8.6: deserialization failed",
    ),
    (
        "tensorrt-engine-built-with-other-version",
        (
            "ERROR: 6: [runtime.cpp::parsePlan] Error Code 6: The engine plan file is "
            "generated on an incompatible device, expecting compute 7.5 got compute 8.6, "
            "please rebuild."
        ),
    ),
    (
        "triton-unsupported-on-old-gpu",
        (
            "torch._dynamo.exc.BackendCompilerFailed: Found Quadro P5000 which is too old to "
            "be supported by the triton GPU compiler"
        ),
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
