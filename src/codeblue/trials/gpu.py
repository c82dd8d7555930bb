"""Matrix products at full speed, with random data and a checked result."""

import time

from codeblue_trials.bench import median, words
from codeblue_trials.sampler import Sampler

WINDOW = 1.0
"""Seconds of full load for each type."""
SIZE, SMALL = 8192, 384
CHECKED_ROWS = 64
SEED = 20260101
STEADY = 0.95
"""Part of the final speed from which the GPU counts as ramped up."""
FP8_NEEDS = (8, 9)
"""Compute capability from which tensor cores take float8."""


def run(bench, order):
    """Tell ``products`` by type, and ``load``: clocks, power and temperature meanwhile."""
    products = {}
    kinds = order.get("types") or kinds_of(bench)
    with Sampler(bench.pci) as sampler:
        for kind in kinds:
            try:
                products[kind] = product(bench, kind)
            except Exception as error:  # a type that this GPU or this torch lacks; the others go on
                products[kind] = {"error": words(error)}
            bench.tell(products=products, load=sampler.summary())
            bench.forget()


def kinds_of(bench):
    """Return the types to try; the one that draws most power first."""
    if not bench.on_gpu:
        return ["fp32", "bf16"]
    capability = bench.torch.cuda.get_device_capability(bench.device)
    kinds = ["bf16", "fp16", "tf32", "fp32"] if capability >= (8, 0) else ["fp16", "fp32"]
    fp8 = capability >= FP8_NEEDS and hasattr(bench.torch, "float8_e4m3fn")
    return kinds + ["fp8"] if fp8 else kinds


def product(bench, kind):
    """Return speed, error and repeatability of one type of product."""
    torch = bench.torch
    size = SMALL if bench.small else fitting(bench)
    left, right, work = prepared(bench, kind, size)
    with precision(torch, kind == "tf32"):
        for _ in range(2):
            result = work()
        bench.wait()
        first = result.clone()
        started = time.perf_counter()
        times = bench.batches(work, 0.1 if bench.small else WINDOW)
        result = work()
        bench.wait()
    operations = 2.0 * size**3
    steady = median(times[len(times) // 2 :])
    return {
        "size": size,
        "tflops": round(operations / steady / 1e12, 6),
        "tflops_first": round(operations / times[0] / 1e12, 6),
        "ramp_seconds": ramp(times, steady, time.perf_counter() - started),
        "relative_error": relative_error(torch, left, right, result),
        "worst_row": worst_row(torch, left, right, result),
        "changed": int((result != first).sum().item()),
        "digest": digest(torch, first),
    }


def fitting(bench):
    """Return a size that takes neither much memory nor, on a slow device, more than a moment."""
    torch = bench.torch
    size = SIZE
    if bench.on_gpu and torch.cuda.get_device_properties(bench.device).multi_processor_count < 40:
        size = SIZE // 2
    while size > SMALL and 24 * size * size > bench.free_bytes() // 2:
        size //= 2
    return size


def prepared(bench, kind, size):
    """Return both factors as the hardware sees them, and a function that multiplies them."""
    torch = bench.torch
    source = bench.generator(SEED)
    left, right = (torch.randn(size, size, device=bench.device, generator=source) for _ in range(2))
    if kind == "fp8":
        return float8(torch, left, right)
    kept = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(kind, torch.float32)
    left, right = left.to(kept), right.to(kept)
    out = torch.empty(size, size, device=bench.device, dtype=kept)
    return left, right, lambda: torch.mm(left, right, out=out)


def float8(torch, left, right):
    """Return the same for float8, whose operator is private to torch and has changed its result once."""
    left, right = (one.to(torch.float8_e4m3fn) for one in (left, right))
    turned = right.t().contiguous().t()
    one = torch.ones(1, device=left.device)

    def work():
        result = torch._scaled_mm(left, turned, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
        return result[0] if isinstance(result, tuple) else result

    return left, right, work


class precision:  # noqa: N801 - reads as a statement
    """Within it float32 products are allowed to use TF32, or are not."""

    def __init__(self, torch, tf32):
        self.flags = torch.backends.cuda.matmul
        self.tf32 = tf32

    def __enter__(self):
        self.before = self.flags.allow_tf32
        self.flags.allow_tf32 = self.tf32

    def __exit__(self, *_):
        self.flags.allow_tf32 = self.before


def ramp(times, steady, whole):
    """Return after how many seconds the speed had come near its final value."""
    slow = [number for number, seconds in enumerate(times) if steady < STEADY * seconds]
    late = slow[-1] + 1 if slow and slow[-1] < len(times) // 2 else 0
    return round(whole * late / len(times), 2)


def relative_error(torch, left, right, result):
    """Return ‖result - exact‖ / ‖exact‖ over some rows, the exact one being computed in float64."""
    exact = left[:CHECKED_ROWS].double() @ right.double()
    return float(((result[:CHECKED_ROWS].double() - exact).norm() / exact.norm()).item())


def worst_row(torch, left, right, result):
    """Return how much the worst row is off against the typical one: every value takes part in it.

    Freivalds' check: both sides are multiplied with a random vector, which costs two passes only.
    """
    size = result.shape[0]
    source = torch.Generator(device=result.device)
    source.manual_seed(SEED + 1)
    signs = torch.randint(0, 2, (size, 1), device=result.device, generator=source).double() * 2 - 1
    exact = left.double() @ (right.double() @ signs)
    off = (result.double() @ signs - exact).abs()
    typical = off.median().item()
    worst = off.max().item()
    if worst != worst:  # not a number
        return -1.0
    return round(worst / typical, 2) if typical else float(worst > 0)


def digest(torch, result):
    """Return a number of the bits of a result: equal on GPUs of one kind that compute alike."""
    kinds = {2: torch.int16, 4: torch.int32}
    bits = result.view(kinds[result.element_size()]).flatten()
    weight = torch.arange(bits.numel(), device=bits.device, dtype=torch.int64) % 65521 + 1
    return "%016x" % ((bits.long() * weight).sum().item() & 0xFFFFFFFFFFFFFFFF)
