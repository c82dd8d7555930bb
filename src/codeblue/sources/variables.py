"""Which variables of an environment are kept: those that GPU software reads, and no secrets."""

import re

WANTED = re.compile(
    r"(?:CUDA_|NVIDIA_|NCCL_|TORCH|PYTORCH_|CUBLAS|CUDNN|OMP_|MKL_|KMP_|GOMP_|XLA_|TF_|JAX_|GLOO_|RAY_)\w*$"
    r"|SLURM_(?:JOB_ID|PROCID|LOCALID|STEP_GPUS|JOB_GPUS|GPUS\w*|NTASKS\w*)$"
    r"|(?:HF_HUB_OFFLINE|LD_LIBRARY_PATH|LD_PRELOAD|CONDA_PREFIX|CONDA_DEFAULT_ENV|VIRTUAL_ENV)$"
    r"|PYTHON(?:PATH|HOME|NOUSERSITE|SAFEPATH)$"
    r"|(?:RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|MASTER_ADDR|MASTER_PORT)$"
)
"""The probe's list; a test holds the two together."""
UNWANTED = re.compile(r"TOKEN|KEY|SECRET|PASSW|AUTH|CREDENTIAL|RAY_ADDRESS|TF_CONFIG")


def chosen(name: str) -> bool:
    """True if the variable is one that GPU software reads and that holds no secret."""
    return WANTED.match(name) is not None and UNWANTED.search(name) is None
