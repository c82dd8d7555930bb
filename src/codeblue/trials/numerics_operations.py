"""Operations with known inputs: how far off, the same again, and which bits.

Inputs come from integers, not from torch's generators, so that every release and every device gets the
same ones. Exact results are computed in float64 by the processor.
"""

import math

from codeblue_trials.bench import words
from codeblue_trials.gpu import digest

RUNS, RUNS_OF_PROCESSOR = 5, 3
"""How often each operation is run: an unordered sum shows itself within a few."""

SEED = 20261201

SCALE = 2.6431e-5
"""About one over the standard deviation of the sum of four 16-bit parts."""

WIDE = ("fp32", "bf16", "fp16")


def numbers(torch, seed, *shape):
    """Return float64 values near a normal distribution, the same ones everywhere.

    Two rounds of the mixer of SplitMix64 over a counter; the sum of its four 16-bit parts, scaled so that
    rounded to float32 all bits of the mantissa are in use: sums of round numbers would be exact.
    """
    count = 1
    for length in shape:
        count *= length
    state = torch.arange(count, dtype=torch.int64, device="cpu") + (seed << 32)
    for shift in (30, 27):
        state = state * -7046029254386353131
        state = state ^ ((state >> shift) & ((1 << (64 - shift)) - 1))
    parts = sum((state >> place) & 0xFFFF for place in (0, 16, 32, 48))
    return ((parts - 131070).double() * SCALE).reshape(shape)


def kept(torch, kind):
    """Return the type in which numbers of this kind are kept."""
    return {"bf16": torch.bfloat16, "fp16": torch.float16}.get(kind, torch.float32)


class Operation:
    """``work(*inputs)`` gives one or more tensors; shapes are those of its inputs."""

    def __init__(self, name, work, shapes, kinds=WIDE, exact=None):
        self.name = name
        self.work = work
        self.shapes = shapes
        self.kinds = kinds
        self.exact = exact or work
        """The same for float64 on the processor."""

    def inputs(self, torch, kind):
        """Return the inputs as the device gets them, on the processor."""
        drawn = [numbers(torch, SEED + place, *shape) for place, shape in enumerate(self.shapes)]
        return [one.to(kept(torch, kind)) for one in drawn]

    def row(self, bench, kind, known):
        """Return the facts of one type; ``known`` keeps exact results that several operations share."""
        torch = bench.torch
        inputs = self.inputs(torch, kind)
        there = [one.to(bench.device) for one in inputs]
        runs = RUNS if bench.on_gpu else RUNS_OF_PROCESSOR
        results = [outputs(self.work(torch, *there)) for _ in range(runs)]
        key = (self.exact, kind)
        if key not in known:
            known[key] = outputs(self.exact(torch, *(one.double() for one in inputs)))
        digests = ["".join(digest(torch, one) for one in result) for result in results]
        return dict(off(torch, results[0], known[key]), **repeated(digests))


def outputs(result):
    """Return the tensors of a result, contiguous."""
    several = result if isinstance(result, (tuple, list)) else (result,)
    return [one.detach().contiguous() for one in several]


def repeated(digests):
    """Return the digest, and how many of the repeated runs had other bits."""
    first = digests[0]
    return {"digest": first, "changed": sum(1 for one in digests[1:] if one != first)}


def off(torch, results, exact):
    """Return ‖result - exact‖ / ‖exact‖, and the largest error against the root of the mean square.

    Of several results the worst counts. -1 where a value is no number.
    """
    worst = {"relative_error": 0.0, "peak": 0.0}
    for place, right in enumerate(exact):
        error = (results[place].double().cpu() - right).flatten()
        size, whole = error.norm().item(), right.norm().item()
        if not math.isfinite(size):
            return {"relative_error": -1.0, "peak": -1.0}
        if size and whole:
            peak = error.abs().max().item() * math.sqrt(error.numel()) / size
            worst["relative_error"] = max(worst["relative_error"], float("%.4g" % (size / whole)))
            worst["peak"] = max(worst["peak"], round(peak, 2))
    return worst


def gradients(work):
    """Return an operation that gives the gradients of all its inputs but the last: what comes from above."""

    def backward(torch, *inputs):
        above = inputs[-1]
        leaves = [one.detach().requires_grad_() for one in inputs[:-1]]
        return torch.autograd.grad(work(torch, *leaves), leaves, above)

    return backward


def product(torch, left, right):
    return torch.mm(left, right)


def convolution(torch, images, filters):
    return torch.nn.functional.conv2d(images, filters, padding=1)


def total(torch, values):
    return torch.sum(values, dim=1)


def average(torch, values):
    return torch.mean(values, dim=1)


def layer_norm(torch, values, weight, bias):
    return torch.nn.functional.layer_norm(values, weight.shape, weight, bias)


def softmax(torch, values):
    return torch.softmax(values, dim=-1)


def functions(torch, values):
    return torch.nn.functional.gelu(values), torch.exp(values), torch.tanh(values)


def attention(torch, query, key, value):
    return torch.nn.functional.scaled_dot_product_attention(query, key, value)


def plain_attention(torch, query, key, value):
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value


def optimiser(name, **options):
    """Return an operation: how three steps of an optimiser move the parameters."""

    def moved(torch, start, *slopes):
        parameter = torch.nn.Parameter(start.clone())
        steps = getattr(torch.optim, name)([parameter], **options)
        for slope in slopes:
            parameter.grad = slope
            steps.step()
        return parameter.detach() - start

    return moved


IMAGES, FILTERS, ABOVE = (4, 32, 24, 24), (48, 32, 3, 3), (4, 48, 24, 24)
HEADS = (2, 4, 192, 64)
ORDINARY = (
    Operation("matmul", product, [(128, 1024), (1024, 128)]),
    Operation("convolution", convolution, [IMAGES, FILTERS]),
    Operation("convolution-backward", gradients(convolution), [IMAGES, FILTERS, ABOVE]),
    Operation("sum", total, [(64, 4096)]),
    Operation("mean", average, [(64, 4096)]),
    Operation("layer-norm", layer_norm, [(256, 1024), (1024,), (1024,)]),
    Operation("softmax", softmax, [(256, 1024)]),
    Operation("elementwise", functions, [(64, 1024)]),
    Operation("adamw", optimiser("AdamW", lr=1e-2), [(4096,)] * 4, ("fp32",)),
    Operation("sgd", optimiser("SGD", lr=1e-2, momentum=0.9), [(4096,)] * 4, ("fp32",)),
)
UNAVAILABLE = ("No available kernel", "No viable backend", "not compiled with")
"""How torch says that an implementation of attention is not there for this type on this device."""

backward_of_plain_attention = gradients(plain_attention)


def attentions(torch):
    """Return attention, forward and backward, for every implementation that this torch can be told to use."""
    found = []
    for name, chosen in implementations(torch).items():

        def forward(torch, query, key, value, chosen=chosen):
            with chosen():
                return attention(torch, query, key, value)

        def backward(torch, *inputs, chosen=chosen):
            with chosen():
                return gradients(attention)(torch, *inputs)

        found.append(Operation("attention-" + name, forward, [HEADS] * 3, exact=plain_attention))
        both = backward_of_plain_attention
        found.append(Operation("attention-%s-backward" % name, backward, [HEADS] * 4, exact=both))
    return found


def implementations(torch):
    """Return name -> a function that gives a context within which attention is computed that way."""
    try:
        from torch.nn.attention import SDPBackend, sdpa_kernel  # torch 2.3
    except ImportError:
        return older_implementations(torch)
    names = {"math": "MATH", "flash": "FLASH_ATTENTION", "efficient": "EFFICIENT_ATTENTION"}
    names["cudnn"] = "CUDNN_ATTENTION"
    there = {name: getattr(SDPBackend, word) for name, word in names.items() if hasattr(SDPBackend, word)}
    return {name: (lambda one=one: sdpa_kernel(one)) for name, one in there.items()}


def older_implementations(torch):
    """Return the same for torch 2.0 to 2.2; before, there is no such operator."""
    choose = getattr(torch.backends.cuda, "sdp_kernel", None)
    if choose is None or not hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        return {}
    flags = {"math": "enable_math", "flash": "enable_flash", "efficient": "enable_mem_efficient"}
    off_all = dict.fromkeys(flags.values(), False)
    return {name: (lambda flag=flag: choose(**dict(off_all, **{flag: True}))) for name, flag in flags.items()}


def fingerprint(bench, operations, kinds=None):
    """Yield name of operation and type, and the facts; what is not there for a device is left out."""
    known = {}
    for operation in operations:
        for kind in kinds or operation.kinds:
            try:
                row = operation.row(bench, kind, known)
            except Exception as error:  # a type that this device or this torch lacks; the others go on
                if any(word in str(error) for word in UNAVAILABLE):
                    continue
                row = {"error": words(error)}
            yield "%s/%s" % (operation.name, kind), row


def streams(bench):
    """Yield name and facts of streams of random numbers: the same seed must give the same ones."""
    torch = bench.torch
    kind = torch.float32
    drawings = {
        "normal": lambda device: torch.randn(4096, device=device, dtype=kind),
        "uniform": lambda device: torch.rand(4096, device=device, dtype=kind),
        "dropout": lambda device: torch.nn.functional.dropout(
            torch.ones(4096, device=device, dtype=kind), 0.5
        ),
        "permutation": lambda device: torch.randperm(512, device=device).to(kind),
    }
    devices = ["cpu", bench.device] if bench.on_gpu else ["cpu"]
    for device in devices:
        for name, draw in drawings.items():
            digests = []
            for _ in range(2):
                torch.manual_seed(SEED)
                digests.append(digest(torch, draw(device)))
            yield "%s/%s" % (name, "gpu" if device != "cpu" else "cpu"), repeated(digests)
