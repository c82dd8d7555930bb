"""Names of variables that programs on GPUs read from their environment."""

from codeblue.knowledge import variables

OTHERS = frozenset(
    {
        "CUDA_DEVICE_ORDER", "CUDA_HOME", "CUDA_LAUNCH_BLOCKING", "CUDA_VISIBLE_DEVICES",
        "HF_DATASETS_CACHE", "HF_ENDPOINT", "HF_HOME", "HF_HUB_OFFLINE", "HF_TOKEN", "MASTER_ADDR",
        "MASTER_PORT", "MKL_NUM_THREADS", "NVIDIA_VISIBLE_DEVICES", "OMP_NUM_THREADS",
        "PYTORCH_CUDA_ALLOC_CONF", "TOKENIZERS_PARALLELISM", "TORCH_HOME", "TRANSFORMERS_CACHE",
        "TRITON_CACHE_DIR", "WANDB_API_KEY", "WANDB_MODE", "WANDB_PROJECT", "XLA_FLAGS",
        "XLA_PYTHON_CLIENT_PREALLOCATE",
    }
)  # fmt: skip


def is_read(name: str) -> bool:
    """Tell whether a library reads a variable of this name."""
    return name in OTHERS or (name in variables.known() and name.isupper())
