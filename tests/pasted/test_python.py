"""Reports about Python environments, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "aarch64-pypi-wheel-is-cpu-only",
        "AssertionError: Torch not compiled with CUDA enabled",
        "# note: GH200 node, pip install torch",
        "os: ubuntu 22.04 aarch64",
    ),
    (
        "build-lacks-gpu-arch",
        (
            "UserWarning: NVIDIA GeForce RTX 5080 with CUDA capability sm_120 is not "
            "compatible with the current PyTorch installation."
        ),
        (
            "The current PyTorch installation supports CUDA capabilities sm_50 sm_60 sm_70 "
            "sm_75 sm_80 sm_86 sm_90."
        ),
    ),
    (
        "build-lacks-gpu-arch",
        ("# note: the bundled llama server crashes on my RTX 5060 Ti; it was built with CUDA 12.4"),
        "ggml_cuda_compute_forward: MUL_MAT failed",
        "gpu: RTX 5060 Ti",
    ),
    (
        "conda-virtual-cuda-missing-on-login-node",
        (
            "# note: conda env create on the head node (no GPU there) gives the cpu build of "
            "pytorch; on a compute node it gives cuda"
        ),
    ),
    (
        "cpu-only-jaxlib",
        (
            "WARNING:jax._src.xla_bridge:An NVIDIA GPU may be present on this machine, but a "
            "CUDA-enabled jaxlib is not installed. Falling back to cpu."
        ),
    ),
    (
        "cpu-only-torch-build",
        ">>> torch.version.cuda",
        ">>> torch.__version__",
        "'2.3.0+cpu'",
        ">>> torch.cuda.is_available()",
        "False",
        "# note: docker build installed pytorch from conda without pin",
    ),
    (
        "cpu-only-torch-build",
        "# 装的是 CPU 版 torch，torch.cuda.is_available() 返回 False",
        "torch 2.1.2+cpu",
        "torch: 2.1.2+cpu",
    ),
    (
        "cuda-compiler-missing",
        ("OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root."),
        "# note: pip install deepspeed",
    ),
    (
        "cuda-compiler-missing",
        "CMake Error at CMakeLists.txt:9 (project):",
        "  No CMAKE_CUDA_COMPILER could be found.",
    ),
    (
        "cuda-home-malformed",
        "error: [Errno 2] No such file or directory: ':/usr/local/cuda-11.3/bin/nvcc'",
        "$ echo $CUDA_HOME",
        ":/usr/local/cuda-11.3",
    ),
    (
        "cuda-index-does-not-exist",
        "$ pip install torch --index-url https://download.pytorch.org/whl/cu122",
        ("ERROR: Could not find a version that satisfies the requirement torch (from versions: none)"),
        "ERROR: No matching distribution found for torch",
    ),
    (
        "extension-abi-mismatch",
        (
            "ImportError: "
            "/home/u/venv/lib/python3.11/site-packages/flash_attn_2_cuda.cpython-311-x86_64-l"
            "inux-gnu.so: undefined symbol: "
            "_ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
        ),
    ),
    (
        "jupyter-kernel-from-other-env",
        "ModuleNotFoundError: No module named 'torch'",
        (
            "# note: in the notebook; sys.executable shows the base python, in a terminal of "
            "the env import works"
        ),
    ),
    (
        "local-directory-shadows-torch",
        "$ cd pytorch && python -c 'import torch'",
        "ModuleNotFoundError: No module named 'torch._C'",
    ),
    (
        "local-file-shadows-torch",
        "AttributeError: module 'torch' has no attribute 'nn'",
        "# note: I had a file torch.py in the same folder",
    ),
    (
        "numpy2-with-older-torch",
        "A module that was compiled using NumPy 1.x cannot be run in",
        "NumPy 2.0.1 as it may crash.",
        "torch: 2.2.1",
    ),
    (
        "packages-for-other-cuda-major",
        (
            "Failed to load library libonnxruntime_providers_cuda.so with error: "
            "libcublasLt.so.11: cannot open shared object file: No such file or directory"
        ),
        "# note: CUDA 12.2 image, onnxruntime-gpu 1.17",
    ),
    (
        "python-headers-missing",
        "/tmp/tmpx/main.c:5:10: fatal error: Python.h: No such file or directory",
        "compilation terminated.",
    ),
    (
        "toolkit-torch-cuda-mismatch",
        (
            "RuntimeError: The detected CUDA version (12.4) mismatches the version that was "
            "used to compile PyTorch (11.8)."
        ),
    ),
    (
        "torch-not-installed",
        "ModuleNotFoundError: No module named 'torch'",
        "# note: Building wheel for flash-attn; torch is installed in the venv",
    ),
    (
        "torch-torchvision-version-mismatch",
        "RuntimeError: operator torchvision::nms does not exist",
        "# 只升级了 torch 没动 torchvision",
    ),
    (
        "two-frameworks-clash-in-process",
        ("# note: importing tensorflow and then torch in the same script crashes, each alone is fine"),
        "Segmentation fault (core dumped)",
    ),
    (
        "two-torch-installs-mixed",
        "$ conda list | grep torch",
        "pytorch                   1.10.0          py3.8_cuda11.3_0    pytorch",
        "torch                     1.9.0                    pypi_0    pypi",
        "ImportError: undefined symbol",
    ),
    (
        "user-site-packages-shadow-env",
        (
            "# note: python in my conda env imports numpy from "
            "~/.local/lib/python3.8/site-packages; PYTHONNOUSERSITE=1 helps"
        ),
        "ImportError: cannot import name 'x'",
    ),
    (
        "wheel-not-built-for-python-version",
        ("ERROR: torch-1.7.0+cu110-cp38-cp38-linux_x86_64.whl is not a supported wheel on this platform."),
        "python: 3.9",
    ),
    (
        "wheel-not-built-for-python-version",
        (
            "ERROR: Could not find a version that satisfies the requirement tensorflow==2.8 "
            "(from versions: 2.12.0, 2.13.0)"
        ),
        "python: 3.11",
    ),
    (
        "aarch64-pypi-wheel-is-cpu-only",
        ">>> torch.cuda.is_available()",
        "False",
        "# Grace Hopper, plain pip install torch from PyPI",
        "torch: 2.4.0",
    ),
    (
        "build-lacks-gpu-arch",
        "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "gpu: RTX 5090",
        "torch: 2.5.1+cu124",
    ),
    (
        "build-lacks-gpu-arch",
        (
            "ERROR: CUDA kernel mul_mat_q has no device code compatible with CUDA arch 1200. "
            "ggml-cuda.cu was compiled for: 500,610,700,750,800,860,890,900"
        ),
    ),
    (
        "build-lacks-gpu-arch",
        ("# xformers 自己编译的时候 TORCH_CUDA_ARCH_LIST 只有 8.0，拿到 4090 上报 invalid device function"),
        "RuntimeError: CUDA error: invalid device function",
    ),
    (
        "conda-virtual-cuda-missing-on-login-node",
        "LibMambaUnsatisfiableError: Encountered problems while solving:",
        "  - nothing provides __cuda needed by pytorch-2.1.0-cuda112py310",
    ),
    (
        "cpu-only-jaxlib",
        (
            "RuntimeError: Unknown backend: 'gpu' requested, but no platforms that are "
            "instances of gpu are present. Platforms present are: cpu"
        ),
    ),
    (
        "cpu-only-jaxlib",
        "# pip install jax，jax.devices() 只有 CPU，nvidia-smi 正常",
        "[CpuDevice(id=0)]",
    ),
    (
        "cpu-only-torch-build",
        "AssertionError: Torch not compiled with CUDA enabled",
    ),
    (
        "cuda-compiler-missing",
        "/bin/sh: 1: nvcc: not found",
        "error: command '/bin/sh' failed with exit code 127",
    ),
    (
        "cuda-index-does-not-exist",
        "# 驱动显示 12.3，于是用 whl/cu123 安装，提示找不到",
        "ERROR: No matching distribution found for torch",
        "Looking in indexes: https://download.pytorch.org/whl/cu123",
    ),
    (
        "extension-abi-mismatch",
        (
            "ImportError: /env/site-packages/mmcv/_ext.cpython-38-x86_64-linux-gnu.so: "
            "undefined symbol: _ZNK2at6Tensor7is_cudaEv"
        ),
        "# upgraded pytorch afterwards",
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
