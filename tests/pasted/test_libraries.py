"""Reports about libraries, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "cublas-shadowed",
        (
            "RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling "
            "`cublasSgemm( handle, opa, opb, m, n, k)`"
        ),
        "# note: goes away after `unset LD_LIBRARY_PATH`",
        "torch: 1.13.1",
    ),
    (
        "cublas-shadowed",
        (
            "python: symbol lookup error: "
            "/opt/venv/lib/python3.10/site-packages/torch/lib/libtorch_cuda.so: undefined "
            "symbol: cublasLtMatmulDescSetAttribute"
        ),
        "# note: ldd picks libcublasLt from the module tree of the cluster instead of the wheel",
    ),
    (
        "cuda-runtime-library-missing",
        "$ ldd build/lib/_ext.so | grep cuda",
        "    libcudart.so.12 => not found",
        "$ python -c 'import _ext'",
        ("ImportError: libcudart.so.12: cannot open shared object file: No such file or directory"),
    ),
    (
        "cuda-runtime-library-missing",
        "RuntimeError: Library libcublas.so.12 is not found or cannot be loaded",
        "# note: faster-whisper in a slim image",
    ),
    (
        "cuda-runtime-library-missing",
        "# 报错 libcurand.so.10 找不到，机器上没装 CUDA toolkit",
        "OSError: libcurand.so.10: cannot open shared object file",
    ),
    (
        "cudnn-not-on-loader-path",
        (
            "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, "
            "libcudnn_ops.so.9, libcudnn_ops.so}"
        ),
        "Invalid handle. Cannot load symbol cudnnCreateTensorDescriptor",
        "Aborted (core dumped)",
    ),
    (
        "cudnn-not-on-loader-path",
        (
            "W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load "
            "dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared "
            "object file: No such file or directory"
        ),
        "Skipping registering GPU devices...",
    ),
    (
        "cudnn-shadowed",
        (
            "Could not load library libcudnn_cnn_infer.so.8. Error: "
            "/usr/lib/x86_64-linux-gnu/libcudnn_cnn_infer.so.8: undefined symbol: "
            "_ZN11nvrtcHelper4loadEb, version libcudnn_ops_infer.so.8"
        ),
    ),
    (
        "cudnn-shadowed",
        "RuntimeError: GET was unable to find an engine to execute this computation",
        "# note: only after `module load cudnn/8.4`; without the module training runs",
        "torch: 2.1",
    ),
    (
        "cudnn-version-mismatch",
        (
            "E tensorflow/stream_executor/cuda/cuda_dnn.cc:389] Loaded runtime CuDNN "
            "library: 8.0.5 but source was compiled with: 8.1.0.  CuDNN library needs to "
            "have matching major version"
        ),
    ),
    (
        "glibc-too-old-for-torch",
        (
            "ImportError: /lib64/libc.so.6: version `GLIBC_2.28' not found (required by "
            "/home/u/miniconda3/lib/python3.10/site-packages/vllm/_C.abi3.so)"
        ),
        "os: centos 7",
    ),
    (
        "glibc-too-old-for-torch",
        "# 集群是 CentOS 7，glibc 2.17，pip 装的新版 torch 一 import 就报错",
        "os: centos 7",
    ),
    (
        "glibc-too-old-for-cuda-libs",
        (
            "ImportError: /lib64/libm.so.6: version `GLIBC_2.27' not found (required by "
            "/usr/local/cuda-12.2/lib64/libcublasLt.so.12)"
        ),
    ),
    (
        "libdevice-not-on-xla-path",
        "INTERNAL: libdevice not found at ./libdevice.10.bc [Op:__inference_train_function]",
    ),
    (
        "libgomp-static-tls-exhausted",
        (
            "ImportError: "
            "/home/u/venv/lib/python3.8/site-packages/sklearn/__check_build/../../scikit_lear"
            "n.libs/libgomp-d22c30c5.so.1.0.0: cannot allocate memory in static TLS block"
        ),
        "# note: Jetson; importing torch first helps",
    ),
    (
        "library-file-damaged",
        ("ImportError: /opt/conda/lib/python3.9/site-packages/torch/lib/libcublas.so.11: file too short"),
        "# note: the disk filled up while pip installed",
    ),
    (
        "libstdcxx-too-old",
        (
            "ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.29' not "
            "found (required by "
            "/home/u/.conda/envs/x/lib/python3.9/site-packages/pandas/_libs/x.so)"
        ),
    ),
    (
        "mkl-2024-1-removed-symbol",
        (
            "OSError: /opt/conda/lib/python3.10/site-packages/torch/lib/libtorch_cpu.so: "
            "undefined symbol: iJIT_NotifyEvent"
        ),
    ),
    (
        "nvjitlink-shadowed",
        (
            "ImportError: "
            "/usr/local/lib/python3.10/dist-packages/torch/lib/../../nvidia/cusparse/lib/libc"
            "usparse.so.12: undefined symbol: __nvJitLinkAddData_12_1, version "
            "libnvJitLink.so.12"
        ),
    ),
    (
        "system-library-missing-in-image",
        "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
        "# note: import cv2 in python:3.10-slim",
    ),
    (
        "system-library-missing-in-image",
        "ImportError: libnuma.so.1: cannot open shared object file",
        "container: docker",
    ),
    (
        "cublas-shadowed",
        (
            "# my sysadmin's CUDA 11 module comes first on the library path, torch wheel is "
            "cu118; every matmul dies"
        ),
        "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasGemmEx`",
    ),
    (
        "cublas-shadowed",
        (
            "OSError: "
            "/usr/local/lib/python3.9/site-packages/nvidia/cublas/lib/libcublas.so.11: "
            "symbol cublasLtGetStatusString version libcublasLt.so.11 not defined in file "
            "libcublasLt.so.11 with link time reference"
        ),
    ),
    (
        "cuda-runtime-library-missing",
        (
            "./simulate: error while loading shared libraries: libcufft.so.11: cannot open "
            "shared object file: No such file or directory"
        ),
    ),
    (
        "cuda-runtime-library-missing",
        "nvrtc: error: failed to open libnvrtc-builtins.so.11.7.",
        "  Make sure that libnvrtc-builtins.so.11.7 is installed correctly.",
    ),
    (
        "cuda-runtime-library-missing",
        (
            "W dso_loader.cc:64] Could not load dynamic library 'libcusolver.so.11'; "
            "dlerror: libcusolver.so.11: cannot open shared object file: No such file or "
            "directory"
        ),
        "W gpu_device.cc:1850] Cannot dlopen some GPU libraries.",
    ),
    (
        "cudnn-not-on-loader-path",
        (
            "# whisper 一跑就报 Could not load library libcudnn_ops_infer.so.8，pip "
            "里明明装了 nvidia-cudnn-cu11"
        ),
        "Aborted",
    ),
    (
        "cudnn-shadowed",
        ("# cuDNN 8.2 from the cluster's software stack is on LD_LIBRARY_PATH; torch wheel has 8.9"),
        (
            "RuntimeError: cuDNN version incompatibility: PyTorch was compiled against (8, "
            "9, 2) but found runtime version (8, 2, 1)."
        ),
    ),
    (
        "glibc-too-old-for-torch",
        ("ERROR: vllm-0.6.3-cp38-abi3-manylinux_2_31_x86_64.whl is not a supported wheel on this platform."),
        "$ ldd --version",
        "ldd (GNU libc) 2.28",
    ),
    (
        "libdevice-not-on-xla-path",
        "UNKNOWN: JIT compilation failed. [Op:Sqrt]",
        "error: Can't find libdevice directory ${CUDA_DIR}/nvvm/libdevice",
    ),
    (
        "libgomp-static-tls-exhausted",
        "# Jetson 上先 import tensorflow 再 import cv2 就 static TLS 报错",
        ("ImportError: /usr/lib/aarch64-linux-gnu/libgomp.so.1: cannot allocate memory in static TLS block"),
    ),
    (
        "library-file-damaged",
        (
            "OSError: "
            "/env/lib/python3.10/site-packages/nvidia/cudnn/lib/libcudnn_cnn_infer.so.8: "
            "invalid ELF header"
        ),
    ),
    (
        "libstdcxx-too-old",
        (
            "ImportError: /opt/conda/bin/../lib/libstdc++.so.6: version `CXXABI_1.3.13' not "
            "found (required by /env/lib/python3.10/site-packages/x.so)"
        ),
    ),
    (
        "nvjitlink-shadowed",
        "# LD_LIBRARY_PATH has /usr/local/cuda-12.0/lib64; jax 0.4.30 with pip wheels",
        "RuntimeError: Unable to load cuSPARSE. Is it installed?",
    ),
    (
        "system-library-missing-in-image",
        "OSError: libsndfile.so.1: cannot open shared object file: No such file or directory",
        "# python:3.11-slim image",
        "container: docker",
    ),
    (
        "system-library-missing-in-image",
        "ImportError: libmpi.so.40: cannot open shared object file: No such file or directory",
        "container: docker",
    ),
    (
        "cublas-shadowed",
        ("# note: /usr/local/cuda-11.8/lib64 precedes the wheel's folder; libcublasLt is resolved there"),
        "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasLtMatmul`",
    ),
    (
        "cuda-runtime-library-missing",
        "OSError: libcudart.so.11.0: cannot open shared object file: No such file or directory",
        "# note: torchaudio import",
        "torch: 2.0.1+cu118",
    ),
    (
        "cuda-runtime-library-missing",
        ("ImportError: libcusparseLt.so.0: cannot open shared object file: No such file or directory"),
    ),
    (
        "cudnn-not-on-loader-path",
        "# note: faster-whisper inside a venv, torch finds its own copy, ctranslate2 does not",
        "Unable to load any of {libcudnn_ops.so.9}",
    ),
    (
        "cudnn-shadowed",
        "# note: `module load cuDNN/8.2.1` sets LD_LIBRARY_PATH; torch 2.1 brings 8.9",
        "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
    ),
    (
        "cudnn-version-mismatch",
        ("RuntimeError: cuDNN version mismatch: PyTorch was compiled against 7604 but linked against 7401"),
    ),
    (
        "cudnn-version-mismatch",
        ("# note: conda upgraded cudnn to 8.9 while TF 2.4 wants 8.0; could not create cudnn handle"),
        "Loaded runtime CuDNN library: 7.6.4 but source was compiled with: 8.0.0",
    ),
    (
        "glibc-too-old-for-cuda-libs",
        "# note: CentOS 7",
        (
            "OSError: /lib64/libc.so.6: version `GLIBC_2.25' not found (required by "
            "/opt/env/lib/python3.8/site-packages/nvidia/nccl/lib/libnccl.so.2)"
        ),
    ),
    (
        "glibc-too-old-for-torch",
        "RuntimeError: vllm wheel needs manylinux_2_31",
        "# note: RHEL 7 cluster, glibc 2.17",
    ),
    (
        "libdevice-not-on-xla-path",
        ("# note: conda env with tensorflow 2.10; setting XLA_FLAGS=--xla_gpu_cuda_data_dir fixed it"),
        "INTERNAL: libdevice not found",
    ),
    (
        "libgomp-static-tls-exhausted",
        ("OSError: /usr/lib/aarch64-linux-gnu/libgomp.so.1: cannot allocate memory in static TLS block"),
    ),
    (
        "library-file-damaged",
        ("ImportError: /env/lib/python3.10/site-packages/torch/lib/libtorch_cuda.so: file too short"),
    ),
    (
        "libstdcxx-too-old",
        "# note: jupyter kernel takes /usr/lib libstdc++ although conda has a newer one",
        ("ImportError: /usr/lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.30' not found"),
    ),
    (
        "mkl-2024-1-removed-symbol",
        ("# conda 新建环境后 import torch 报 undefined symbol: iJIT_NotifyEvent，降到 mkl 2024.0 就好"),
    ),
    (
        "nvjitlink-shadowed",
        (
            "ImportError: libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4, "
            "version libnvJitLink.so.12"
        ),
        "# note: LD_LIBRARY_PATH=/usr/local/cuda-12.1/lib64",
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
