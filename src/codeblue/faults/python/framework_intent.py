"""What an installation tells of the framework that is meant to use the GPU."""

from codeblue.model.facts import Environment, Python, Torch

HIDDEN = ("", "-1", "NoDevFiles")
"""Values of CUDA_VISIBLE_DEVICES that hide every GPU; Slurm writes the last one."""


def gpu_unwanted(environment: Environment | None) -> bool:
    """Return whether the environment says that the job is to run on the CPU."""
    if environment is None:
        return False
    variables = environment.variables
    platforms = variables.get("JAX_PLATFORMS") or variables.get("JAX_PLATFORM_NAME") or ""
    only_cpu = bool(platforms) and not any(word in platforms for word in ("cuda", "gpu"))
    return only_cpu or variables.get("CUDA_VISIBLE_DEVICES", "all") in HIDDEN


def others_beside(python: Python, torch: Torch | None, *own: str) -> bool:
    """Return whether a framework other than ``own`` may be the one that has the GPU."""
    gpu = [name for name in python.distributions if _uses_gpu(name) and name not in own]
    return torch is not None or bool(gpu)


def _uses_gpu(name: str) -> bool:
    plugin = name.startswith("jax-cuda") and name.endswith("-plugin")
    return plugin or name.startswith("cupy") or name in ("tensorflow", "onnxruntime-gpu", "vllm")
