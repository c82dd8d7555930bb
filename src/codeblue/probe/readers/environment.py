"""Environment variables that GPU software reads. Only names on the list leave the machine."""

import re

from codeblue_probe.report import Report, Unread

WANTED = re.compile(
    r"(?:CUDA_|NVIDIA_|NCCL_|TORCH|PYTORCH_|CUBLAS|CUDNN|OMP_|MKL_|KMP_|GOMP_|XLA_|TF_|JAX_|GLOO_|RAY_)\w*$"
    r"|SLURM_(?:JOB_ID|PROCID|LOCALID|STEP_GPUS|JOB_GPUS|GPUS\w*|NTASKS\w*)$"
    r"|(?:HF_HUB_OFFLINE|LD_LIBRARY_PATH|LD_PRELOAD|CONDA_PREFIX|CONDA_DEFAULT_ENV|VIRTUAL_ENV)$"
    r"|PYTHON(?:PATH|HOME|NOUSERSITE|SAFEPATH)$"
    r"|(?:RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|MASTER_ADDR|MASTER_PORT)$"
)
UNWANTED = re.compile(r"TOKEN|KEY|SECRET|PASSW|AUTH|CREDENTIAL|RAY_ADDRESS|TF_CONFIG")
"""May hold a secret, or the addresses of other machines."""

LONGEST = 4096


def read(context, sections):
    """Read the environment section."""
    if context.unread_environment:
        raise Unread("error", context.unread_environment)
    report = Report("%senviron" % context.process.folder if context.process else "environment")
    report.put("variables", chosen(context.environment))
    return report


def chosen(variables):
    """Return the variables on the list with their values."""
    names = [name for name in variables if WANTED.match(name) and not UNWANTED.search(name)]
    return {name: _value(variables[name]) for name in sorted(names)}


def _value(text):
    # Bytes that are no UTF-8 come as surrogates, which JSON readers refuse.
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8")
