"""What changes numbers without changing the program: flags, variables, versions."""

import ctypes
import os
import platform
import re

FLAGS = (
    "fp32_precision cuda.matmul.allow_tf32 cuda.matmul.fp32_precision "
    "cuda.matmul.allow_fp16_reduced_precision_reduction cuda.matmul.allow_bf16_reduced_precision_reduction "
    "cuda.matmul.allow_fp16_accumulation cuda.preferred_linalg_library cuda.preferred_blas_library "
    "cuda.flash_sdp_enabled cuda.mem_efficient_sdp_enabled cuda.math_sdp_enabled cuda.cudnn_sdp_enabled "
    "cuda.fp16_bf16_reduction_math_sdp_allowed cudnn.enabled cudnn.benchmark cudnn.benchmark_limit "
    "cudnn.deterministic cudnn.allow_tf32 cudnn.fp32_precision cudnn.conv.fp32_precision "
    "cudnn.rnn.fp32_precision mkldnn.enabled mkldnn.deterministic mkldnn.allow_tf32 mkldnn.fp32_precision "
    "mkldnn.matmul.fp32_precision mkldnn.conv.fp32_precision"
).split()
"""Below ``torch.backends``: attributes, and functions without argument."""

FUNCTIONS = (
    "get_float32_matmul_precision are_deterministic_algorithms_enabled "
    "is_deterministic_algorithms_warn_only_enabled get_default_dtype is_autocast_enabled get_num_threads"
).split()
"""Of torch itself."""

VARIABLES = re.compile(
    "NVIDIA_TF32_OVERRIDE$|NVIDIA_DISABLE_TF32$|TORCH_ALLOW_TF32|CUBLAS|CUDNN|TORCH_CUDNN|TORCH_BLAS_PREFER|"
    "TORCH_LINALG_PREFER|DISABLE_ADDMM_CUDA_LT|ATEN_CPU_CAPABILITY$|MKL_|DNNL_|ONEDNN_|OMP_NUM_THREADS$|"
    "OPENBLAS_|GOMP_|KMP_"
)
LOGGING = re.compile("LOG|VERBOSE|DEBUG")
"""Variables of the same libraries that only make them talk."""

MAPPED = re.compile(r" (/\S*/libcublas\.so\S*)$")


def flags(torch):
    """Return every flag that this torch has as text; one that cannot be read tells its error."""
    found = {}
    for name in FLAGS:
        where = torch.backends
        for part in name.split("."):
            where = where if where is None else value(where, part)
        told(found, name, where)
    for name in FUNCTIONS:
        told(found, name, value(torch, name))
    found["flush_denormal"] = str(
        bool((torch.tensor([1e-40], dtype=torch.float32, device="cpu") * 1).item() == 0.0)
    )
    return found


def value(where, name):
    """Return an attribute; None where this release has none."""
    try:
        return getattr(where, name)
    except Exception:  # a release that has the module, but not yet the flag
        return None


def told(found, name, what):
    """Keep a flag, or what a function says."""
    if what is None:
        return
    try:
        found[name] = str(what() if callable(what) else what)
    except Exception as error:  # old and new names of one setting were mixed: torch then refuses to tell
        found[name] = "%s" % type(error).__name__


def variables():
    """Return the environment variables of the libraries that compute."""
    chosen = [name for name in os.environ if VARIABLES.match(name) and not LOGGING.search(name)]
    return {name: os.environ[name][:200] for name in sorted(chosen)}


def versions(torch, device):
    """Return what computes: libraries, driver, GPU and processor, by name."""
    found = {"torch": torch.__version__, "python": platform.python_version(), "machine": platform.machine()}
    built = torch.__config__.show()
    for name, pattern in (("mkl", r"Math Kernel Library Version (\S+)"), ("onednn", r"MKL-DNN (v[\d.]+)")):
        told_of = re.search(pattern, built)
        if told_of:
            found[name] = told_of.group(1)
    capability = re.search(r"CPU capability usage: (\S+)", built)
    if capability:
        found["cpu-capability"] = capability.group(1)
    found["processor"] = processor()
    if device.type == "cuda":
        found.update(of_gpu(torch, device))
    return {name: str(one) for name, one in found.items() if one}


def of_gpu(torch, device):
    """Return the GPU, its driver and its libraries."""
    gpu = torch.cuda.get_device_properties(device)
    return {
        "gpu": gpu.name,
        "capability": "%d.%d" % (gpu.major, gpu.minor),
        "multiprocessors": gpu.multi_processor_count,
        "cuda": torch.version.cuda or torch.version.hip,
        "driver": first_line("/sys/module/nvidia/version"),
        "cudnn": torch.backends.cudnn.version(),
        "cublas": cublas(),
    }


def cublas():
    """Return the version of the cuBLAS that is mapped, as it tells it; None if there is none."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as stream:
        mapped = [found.group(1) for found in map(MAPPED.search, stream) if found]
    if not mapped:
        return None
    library = ctypes.CDLL(mapped[0])
    parts = [ctypes.c_int() for _ in range(3)]
    codes = [library.cublasGetProperty(kind, ctypes.byref(one)) for kind, one in enumerate(parts)]
    return None if any(codes) else ".".join(str(one.value) for one in parts)


def processor():
    """Return the model of the processor."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as stream:
        for line in stream:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def first_line(path):
    """Return the first line of a file, or None if it cannot be read."""
    try:
        with open(path, encoding="utf-8") as stream:
            return stream.readline().strip()
    except OSError:
        return None
