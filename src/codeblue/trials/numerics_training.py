"""A short training whose loss is known: the same start and data everywhere, in float64 beside it."""

import math

from codeblue_trials.numerics_operations import SEED, numbers

STEPS = 200
POINTS = 20
"""Of the curve; each is the mean loss of the steps since the last one."""
BATCH, CLASSES, SIDE = 32, 4, 12
EXAMPLES = 2048
SIGNAL = 0.15
"""Of an image, against the noise."""
ORDERS = 4
"""Runs with the batches in another order: how much a loss varies by chance."""
SHAPES = ((8, 1, 3, 3), (16, 8, 3, 3), (32, 144), (32,), (32,), (CLASSES, 32))


def canary(bench):
    """Return the curve of the loss on the device, the exact one, and those that tell what is usual."""
    torch = bench.torch
    device, exact = (bench.device, torch.float32), (torch.device("cpu"), torch.float64)
    losses, again = curve(torch, *device), curve(torch, *device)
    return {
        "steps": STEPS,
        "losses": losses,
        "changed": sum(1 for place, loss in enumerate(losses) if loss != again[place]),
        "exact": curve(torch, *exact),
        "orders": [curve(torch, *exact, order=number + 1) for number in range(ORDERS)],
    }


def curve(torch, device, kind, order=0):
    """Return the losses of one run; -1 from where it is no number."""
    images, labels = examples(torch)
    images, labels = images.to(device, kind), labels.to(device)
    weights = [torch.nn.Parameter(one.to(device, kind)) for one in beginning(torch)]
    steps = torch.optim.AdamW(weights, lr=3e-3)
    losses = []
    for chosen in batches(torch, order).to(device):
        loss = torch.nn.functional.cross_entropy(network(torch, weights, images[chosen]), labels[chosen])
        steps.zero_grad()
        loss.backward()
        steps.step()
        losses.append(loss.detach())
    means = torch.stack(losses).double().cpu().reshape(POINTS, -1).mean(dim=1).tolist()
    return [float("%.9g" % one) if math.isfinite(one) else -1.0 for one in means]


def examples(torch):
    """Return images of four kinds, hidden in noise, and their labels."""
    labels = torch.arange(EXAMPLES, device="cpu") % CLASSES
    kinds = numbers(torch, SEED + 20, CLASSES, 1, SIDE, SIDE)
    noise = numbers(torch, SEED + 21, EXAMPLES, 1, SIDE, SIDE)
    return kinds[labels] * SIGNAL + noise, labels


def beginning(torch):
    """Return the first weights, in float32."""
    weights = []
    for number, shape in enumerate(SHAPES):
        if len(shape) == 1:
            weights.append(torch.full(shape, float(number == 3), dtype=torch.float32, device="cpu"))
        else:
            drawn = numbers(torch, SEED + 30 + number, *shape)
            weights.append((drawn / math.sqrt(drawn[0].numel())).float())
    return weights


def network(torch, weights, images):
    """Return the scores of the classes: two convolutions, a normalised layer, and the last one."""
    first, second, dense, scale, shift, last = weights
    functional = torch.nn.functional
    seen = functional.relu(functional.conv2d(images, first, stride=2, padding=1))
    seen = functional.relu(functional.conv2d(seen, second, stride=2, padding=1)).flatten(1)
    hidden = functional.layer_norm(functional.linear(seen, dense), scale.shape, scale, shift)
    return functional.linear(functional.gelu(hidden), last)


def batches(torch, order):
    """Return the examples of each step; each order takes all of them in turn, shuffled in its own way."""
    turns = -(-STEPS * BATCH // EXAMPLES)
    shuffled = [numbers(torch, SEED + 50 + 10 * order + turn, EXAMPLES).argsort() for turn in range(turns)]
    return torch.cat(shuffled)[: STEPS * BATCH].reshape(STEPS, BATCH)
