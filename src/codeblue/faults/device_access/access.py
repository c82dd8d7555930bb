"""What rules about device access share: the nodes a CUDA program opens, and whom a mode lets in."""

import re

from codeblue.model.facts import Cuda, Environment, KernelModules, Node, Nodes, User

CONTROL = "/dev/nvidiactl"
UVM = "/dev/nvidia-uvm"
NODE_CODES = (3, 100, 101, 304, 999)
"""What cuInit returns when it could not use a node. 34, 802, 803, 804 and 2 have other reasons."""

_GPU = re.compile(r"/dev/nvidia\d+")
_READ_WRITE = 0o6
_UNMAPPED = 65534
"""Shown for every id that this user namespace does not know, so it proves nothing about being the same."""


def is_gpu(path: str) -> bool:
    """True for /dev/nvidia0, /dev/nvidia1, …"""
    return _GPU.fullmatch(path) is not None


def needed(path: str) -> bool:
    """True if a CUDA program opens this node."""
    return path in (CONTROL, UVM) or is_gpu(path)


def mode_excludes(mode: str, node: Node, user: User) -> bool:
    """True if the octal ``mode`` on this node keeps the user from reading and writing it."""
    bits = int(mode, 8)
    if user.uid == 0 and node.owner != _UNMAPPED:
        return False
    if user.uid == node.owner != _UNMAPPED:
        bits >>= 6
    elif node.group != _UNMAPPED and node.group in (user.gid, *user.groups.values()):
        bits >>= 3
    return bits & _READ_WRITE != _READ_WRITE


def lasting_gaps(nodes: Nodes, modules: KernelModules) -> list[str]:
    """Return the needed nodes that did not exist and that the NVIDIA libraries did not create either.

    Without its module /dev/nvidia-uvm cannot exist; nvidia-uvm-not-loaded says that.
    """
    no_uvm_module = "nvidia" in modules.loaded and "nvidia_uvm" not in modules.loaded
    return [
        path
        for path, node in nodes.nodes.items()
        if needed(path)
        and not node.exists
        and node.mode_after is None
        and not (path == UVM and no_uvm_module)
    ]


def unmasked_init(cuda: Cuda, environment: Environment) -> int:
    """Return what cuInit says when no CUDA_VISIBLE_DEVICES hides the GPUs."""
    if "CUDA_VISIBLE_DEVICES" in environment.variables and cuda.unmasked_init is not None:
        return cuda.unmasked_init
    return cuda.init
