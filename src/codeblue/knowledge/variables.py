"""Names of environment variables that libraries read."""

from functools import cache

from codeblue.knowledge.near import one_apart
from codeblue.knowledge.tables import by_key

FAMILIES = (
    "NCCL_",
    "TORCH_NCCL_",
    "PYTORCH_CUDA_",
    "CUDA_VISIBLE_",
    "CUDA_DEVICE_",
    "CUDA_LAUNCH_",
    "GLOO_SOCKET_",
)
"""Beginnings under which every name belongs to one library, so that an unknown one is nobody's."""


@cache
def known() -> frozenset[str]:
    """Return every name of the table."""
    return frozenset(by_key("nccl_env", "name"))


@cache
def _folded() -> dict[str, str]:
    return {name.upper(): name for name in known()}


@cache
def meant(name: str) -> str | None:
    """Return the known name that an unknown one was meant to be; None if that cannot be told.

    The case is wrong, or one letter is: missing, too much, another one, or two of them swapped.
    """
    if name in known() or len(name) < 8:
        return None
    right = _folded().get(name.upper().replace("-", "_"))
    if right is not None:
        # Small letters alone are how scripts name variables of their own.
        return (
            right if name != name.lower() or "_visible_devices" in name or name.startswith("nccl_") else None
        )
    written = name if name == name.lower() else name.upper()
    if not written.startswith(FAMILIES):
        return None
    near = [other for other in known() if one_apart(written, other)]
    return near[0] if len(near) == 1 else None
