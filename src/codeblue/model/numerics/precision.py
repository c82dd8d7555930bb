"""How exact an operation was, and what that says."""

from collections.abc import Iterator
from math import inf

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

OF_TF32 = 1.5e-3
"""Relative error up to which float32 products may have been computed in TF32: 3e-4 with inputs that are
rounded, twice that where they are cut off; bfloat16 gives 2.3e-3."""

GRADIENTS, OF_TF32_GRADIENTS = "convolution-backward", 1e-2
"""cuDNN transforms the inputs of gradients first (Winograd): an H200 gave 3.3e-3 for them in TF32."""

TF32_FLAGS, ANY_FLAGS = ("True", "high", "tf32"), ("medium", "bf16")
"""Values of flags that let float32 products use TF32, and bfloat16 too."""

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
    rows = usable(device)
    for operation in PRODUCTS:
        row = rows.get(name := f"{operation}/fp32")
        if row and not wrong(name, row) and row.relative_error > allowed(operation, device):
            yield name


def allowed(operation: str, device: NumericsTried) -> float:
    """Return the relative error up to which the flags let float32 products of this operation go.

    Without limit where torch refuses to tell a flag, since old and new names were mixed.
    """
    place = "cudnn" if "gpu" in device.versions else "mkldnn"
    names = {
        "matmul": (
            "get_float32_matmul_precision",
            "cuda.matmul.allow_tf32",
            "cuda.matmul.fp32_precision",
            "mkldnn.matmul.fp32_precision",
        )
    }.get(operation, (f"{place}.allow_tf32", f"{place}.conv.fp32_precision", f"{place}.fp32_precision"))
    values = [device.flags.get(name, "") for name in (*names, "fp32_precision")]
    if any(value in ANY_FLAGS or value.endswith("Error") for value in values):
        return inf
    if not any(value in TF32_FLAGS for value in values):
        return REDUCED
    return OF_TF32_GRADIENTS if operation == GRADIENTS else OF_TF32


def used(name: str, row: Computed) -> str | None:
    """Return the narrower type that the error of a float32 product gives away, or None."""
    if not REDUCED < row.relative_error < WRONG["fp32"]:
        return None
    if row.relative_error < OF_TF32:
        return "TF32"
    return None if split(name)[0] == GRADIENTS else "bfloat16"


def place(index: str, device: NumericsTried) -> str:
    """Return the device as findings name it."""
    kind = "gpu" if was_read(device, "versions") and "gpu" in device.versions else "cpu"
    return f"{kind}:{index}"
