"""What a GPU could do at most, by its data sheet."""

from codeblue.knowledge.gpus import gpu_named


def tflops(name: str, kind: str) -> float | None:
    """Return 10^12 dense operations a second for ``bf16``, ``fp16``, ``tf32``, ``fp32`` or ``fp8``."""
    row = gpu_named(name)
    found = (row.get("tflops") or {}).get(kind) if row else None
    return float(found) if found else None


def memory_gbs(name: str) -> float | None:
    """Return the bandwidth of its own memory, GB/s."""
    row = gpu_named(name)
    return float(row["mem_gbs"]) if row and row.get("mem_gbs") else None


def nvlink_gbs(name: str) -> float | None:
    """Return what all its NVLinks carry in one direction, GB/s; None without NVLink."""
    row = gpu_named(name)
    return float(row["nvlink_gbs"]) / 2 if row and row.get("nvlink_gbs") else None


PCIE_GBS = {1: 0.25, 2: 0.5, 3: 0.985, 4: 1.969, 5: 3.938, 6: 7.563}
"""GB/s that one lane carries in one direction after encoding, by generation."""


def pcie_gbs(name: str) -> float | None:
    """Return what the slot that the board is made for carries in one direction, GB/s."""
    row = gpu_named(name)
    if not row or not row.get("pcie_gen") or not row.get("pcie_width"):
        return None
    return PCIE_GBS[row["pcie_gen"]] * float(row["pcie_width"])
