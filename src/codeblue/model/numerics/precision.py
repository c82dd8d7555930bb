"""How exact an operation was, and what that says."""

from collections.abc import Iterator

from codeblue.model.facts.trials.numerics import Computed, NumericsTried
from codeblue.model.section import was_read

SUITE = 1
"""Of the worker's operations and inputs; a fingerprint of another one cannot be compared."""

FULL = {"fp32": 2.0**-17, "tf32": 2.0**-10, "fp16": 2.0**-10, "bf16": 2.0**-6}
"""Relative errors up to which a result has the full precision of its type.

The largest that were measured: float32 3.8e-6 (three steps of AdamW), TF32 4e-4, float16 5.2e-4,
bfloat16 4.1e-3, with torch 1.13 9.3e-3 (gradients
of a convolution).
"""

REDUCED = 3e-5
"""Relative error of float32 products from which they were computed with less: float32 has 1e-6 at most,
TF32 3e-4, bfloat16 2e-3."""

WRONG = {"fp32": 0.02, "tf32": 0.02, "fp16": 0.1, "bf16": 0.1}
"""Relative errors of products that no precision in use explains: bfloat16 has 1e-2 at most, float16 summed
in float16 1e-2."""

WRONG_IN_PLACE = 1e-3
"""The same for float32 operations that never use the matrix units."""

PEAK = 50.0
"""A single wrong value among n correct ones stands out by √n, here 128 at least; 20 by chance."""

PRODUCTS = ("matmul", "convolution", "convolution-backward")
"""Operations of which every value is a long sum of products: their errors are alike."""


def split(name: str) -> tuple[str, str]:
    """Return operation and type of a name such as ``matmul/fp32``."""
    operation, _, kind = name.rpartition("/")
    return operation, kind


def usable(device: NumericsTried) -> dict[str, Computed]:
    """Return the operations of a device that could be run; none if the trial did not come so far."""
    if not was_read(device, "operations"):
        return {}
    return {name: row for name, row in device.operations.items() if row.error is None}


def streams(device: NumericsTried) -> dict[str, Computed]:
    """Return the streams of random numbers of a device."""
    return device.streams if was_read(device, "streams") else {}


def wrong(name: str, row: Computed) -> bool:
    """True if no rounding explains the result: too far off, no number, or one value alone is off."""
    operation, kind = split(name)
    if row.relative_error < 0:
        return True
    product = operation in PRODUCTS or operation.startswith("attention")
    limit = WRONG[kind] if product or kind != "fp32" else WRONG_IN_PLACE
    return row.relative_error > limit or (operation in PRODUCTS and row.peak > PEAK)


def reduced(device: NumericsTried) -> Iterator[str]:
    """Yield the float32 products with less precision than float32, although nothing allows it."""
    for name, row in usable(device).items():
        operation, kind = split(name)
        if kind != "fp32" or operation not in PRODUCTS or wrong(name, row):
            continue
        if row.relative_error > REDUCED and not allowed(operation, device):
            yield name


def allowed(operation: str, device: NumericsTried) -> bool:
    """True if a flag lets float32 products of this operation use narrower types."""
    flags = device.flags
    narrow = ("tf32", "bf16")
    if operation == "matmul":
        return (
            flags.get("cuda.matmul.allow_tf32") == "True"
            or flags.get("get_float32_matmul_precision") in ("high", "medium")
            or any(flags.get(name) in narrow for name in flags if name.endswith("matmul.fp32_precision"))
            or flags.get("fp32_precision") in narrow
        )
    on_gpu = "gpu" in device.versions
    place = "cudnn" if on_gpu else "mkldnn"
    words = (f"{place}.conv.fp32_precision", f"{place}.fp32_precision", "fp32_precision")
    return flags.get(f"{place}.allow_tf32") == "True" or any(flags.get(word) in narrow for word in words)


def used(row: Computed) -> str | None:
    """Return the narrower type that the error of a float32 product gives away, or None."""
    if not REDUCED < row.relative_error < WRONG["fp32"]:
        return None
    return "TF32" if row.relative_error < 1e-3 else "bfloat16"


def place(index: str, device: NumericsTried) -> str:
    """Return the device as findings name it."""
    kind = "gpu" if was_read(device, "versions") and "gpu" in device.versions else "cpu"
    return f"{kind}:{index}"
