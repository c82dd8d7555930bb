"""Reports about Python environments, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "extension-abi-mismatch",
        (
            "RuntimeError: Detected that PyTorch and torch_sparse were compiled with "
            "different CUDA versions. PyTorch has CUDA version 11.8 and torch_sparse has "
            "CUDA version 11.7."
        ),
    ),
    (
        "jupyter-kernel-from-other-env",
        (
            "# activated my env, `jupyter lab` came from base because the env had none; "
            "import torch there fails"
        ),
        "ModuleNotFoundError: No module named 'torch'",
    ),
    (
        "local-directory-shadows-torch",
        '  File "torch/__init__.py", line 12, in <module>',
        "ImportError: No module named 'torch.version'",
        "# ran python inside the cloned source",
    ),
    (
        "local-file-shadows-torch",
        (
            "ImportError: cannot import name 'nn' from partially initialized module 'torch' "
            "(most likely due to a circular import) (/home/u/torch.py)"
        ),
    ),
    (
        "numpy2-with-older-torch",
        (
            "UserWarning: Failed to initialize NumPy: _ARRAY_API not found (Triggered "
            "internally at tensor_numpy.cpp:84.)"
        ),
        "torch: 2.1.2",
    ),
    (
        "packages-for-other-cuda-major",
        "# pip list: cupy-cuda11x, but the image has CUDA 12.4",
        "ImportError: libcublas.so.11: cannot open shared object file",
    ),
    (
        "packages-for-other-cuda-major",
        "# 环境是 CUDA 12，装的 paddlepaddle-gpu 是 cu11 的",
        "Error: libcudart.so.11.0: cannot open shared object file: No such file or directory",
    ),
    (
        "toolkit-torch-cuda-mismatch",
        "# /usr/local/cuda is 12.2 but torch is cu117; building apex stops",
        (
            "RuntimeError: Cuda extensions are being compiled with a version of Cuda that "
            "does not match the version used to compile Pytorch binaries."
        ),
    ),
    (
        "torch-torchvision-version-mismatch",
        (
            "RuntimeError: Couldn't load custom C++ ops. This can happen if your PyTorch and "
            "torchvision versions are incompatible"
        ),
    ),
    (
        "torch-torchvision-version-mismatch",
        (
            "AttributeError: partially initialized module 'torchvision' has no attribute "
            "'extension' (most likely due to a circular import)"
        ),
        "# pip install -U torch only",
    ),
    (
        "two-frameworks-clash-in-process",
        'ImportError: generic_type: type "Foo" is already registered!',
        "# paddle and torch in one script",
    ),
    (
        "two-torch-installs-mixed",
        "# installed pytorch by conda, then again by pip in the same env; import fails",
        "AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'",
    ),
    (
        "user-site-packages-shadow-env",
        (
            "# sys.path has /home/u/.local/lib/python3.9/site-packages before the conda env, "
            "so an old torch is imported"
        ),
        "AttributeError: module 'torch' has no attribute 'compile'",
    ),
    (
        "wheel-not-built-for-python-version",
        "ERROR: No matching distribution found for torch==1.12.1",
        "# python 3.12",
        "python: 3.12",
    ),
    (
        "aarch64-pypi-wheel-is-cpu-only",
        "# GH200 上 pip install torch 装出来的是 CPU 版",
        ">>> torch.__version__",
        "'2.5.1+cpu'",
    ),
    (
        "build-lacks-gpu-arch",
        ("# note: RTX PRO 6000 Blackwell; the shipped binary (CUDA 12.4) crashes in the first kernel"),
    ),
    (
        "build-lacks-gpu-arch",
        "CUDA error: no kernel image is available for execution on the device",
        "# 自己编译的 llama.cpp，CMAKE_CUDA_ARCHITECTURES 写成了 75，卡是 A100",
    ),
    (
        "conda-virtual-cuda-missing-on-login-node",
        ("# 登录节点上没有 GPU，conda 解出来的 pytorch 是 cpu 版；设置 CONDA_OVERRIDE_CUDA=12.1 后正常"),
    ),
    (
        "conda-solver-picked-cpu-build",
        "pytorch                   2.0.1              py3.10_cpu_0    pytorch",
        "pytorch-mutex             1.0                cpu    pytorch",
        "# note: image build, unpinned conda install",
    ),
    (
        "cpu-only-torch-build",
        ("torch.cuda.is_available(): False, torch.version.cuda: None, pip install torch from the cpu index"),
    ),
    (
        "cuda-compiler-missing",
        (
            "# note: flash-attn build in pytorch runtime image: nvcc was not found. Are you "
            "sure your environment has nvcc available?"
        ),
    ),
    (
        "cuda-compiler-missing",
        ("RuntimeError: Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist"),
    ),
    (
        "cuda-home-malformed",
        (
            "# note: CUDA_HOME=/usr/local/cuda:/usr/local/cuda-11; extension build tries "
            "'/usr/local/cuda:/usr/local/cuda-11/bin/nvcc', no such file"
        ),
    ),
    (
        "cuda-index-does-not-exist",
        "ERROR: Could not find a version that satisfies the requirement torch==2.1.0+cu120",
    ),
    (
        "extension-abi-mismatch",
        (
            "ImportError: /env/vllm/_C.abi3.so: undefined symbol: "
            "_ZN3c104cuda29c10_cuda_check_implementationEiPKcS2_ib"
        ),
        "# note: torch was upgraded under vllm",
    ),
    (
        "jupyter-kernel-from-other-env",
        (
            "# VS Code 的 notebook 里 torch.cuda.is_available() 是 False，终端里同一个环境是 "
            "True，内核选的是 base 环境"
        ),
    ),
    (
        "local-directory-shadows-torch",
        "AttributeError: module 'torch' has no attribute '__version__'",
        "# note: ran in a dir with a subfolder torch",
    ),
    (
        "numpy2-with-older-torch",
        "RuntimeError: Numpy is not available",
        "# note: numpy 2.0 with torch 2.1",
    ),
    (
        "packages-for-other-cuda-major",
        "# note: bitsandbytes built for CUDA 11, host CUDA 12.1: libcudart.so.11.0 not found",
    ),
    (
        "toolkit-torch-cuda-mismatch",
        "# CUDA_HOME 指向 12.2，torch 是 cu118 编译的，编译扩展时提示版本不匹配",
    ),
    (
        "torch-not-installed",
        "Traceback:",
        "ModuleNotFoundError: No module named 'torch'",
        "# note: pip install went to python3.10, the job uses python3.8",
    ),
    (
        "torch-torchvision-version-mismatch",
        (
            "# note: only torch was upgraded to 2.1; import torchvision: RuntimeError: "
            "operator torchvision::nms does not exist"
        ),
    ),
    (
        "two-frameworks-clash-in-process",
        (
            "# note: import torch after import tensorflow: free(): invalid pointer, core "
            "dumped; other order works"
        ),
    ),
    (
        "two-torch-installs-mixed",
        "# note: there are two torch copies, one from conda, one from pip",
        (
            "ImportError: /env/lib/python3.9/site-packages/torch/lib/libtorch_python.so: "
            "undefined symbol: _ZN3c10"
        ),
    ),
    (
        "user-site-packages-shadow-env",
        "# conda 环境里 import 的却是 ~/.local/lib/python3.8 下的旧版 torch，版本不对",
    ),
    (
        "wheel-not-built-for-python-version",
        "ERROR: Package 'vllm' requires a different Python: 3.8.10 not in '>=3.9'",
    ),
    (
        "wheel-not-built-for-python-version",
        "# Python 3.13 装 torch 2.2 报 No matching distribution found",
        "python: 3.13",
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
