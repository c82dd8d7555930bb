"""Whether an NVIDIA GPU is there for the job, without calling NVIDIA's libraries."""

from codeblue.faults.driver.own_gpus import own_gpus
from codeblue.model.facts import Container, Host, Loader, Nodes, Pci, Python

OTHER_FRAMEWORKS = ("jax", "jaxlib", "tensorflow", "onnxruntime", "onnxruntime-gpu", "vllm")


def gpu_at_hand(host: Host, pci: Pci | None, loader: Loader | None) -> str | None:
    """Return the path of the fact that shows a GPU of this machine, or None if there is none.

    WSL has no NVIDIA function on its bus; there the driver library stands for the GPU.
    """
    if host.wsl:
        libcuda = loader.libraries.get("libcuda.so.1") if loader else None
        return "loader[libcuda.so.1].path" if libcuda is not None and libcuda.path else None
    return "pci.nvidia_gpus" if pci is not None and own_gpus(pci) else None


def kept_out(container: Container | None, nodes: Nodes | None, host: Host) -> bool:
    """Return whether this is a container that got none of the machine's GPUs.

    The bus is visible in every container, the device nodes only if a GPU was handed in.
    """
    if container is None or host.wsl:
        return False
    return nodes is None or not any(node.exists for node in nodes.nodes.values())


def other_framework(python: Python) -> str | None:
    """Return an installed GPU framework other than torch, or None."""
    return next(
        (name for name in python.distributions if name in OTHER_FRAMEWORKS or name.startswith("cupy")), None
    )
