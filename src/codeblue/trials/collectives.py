"""The operations: what each rank gives, what it must get. All sums are exact in float32.

Every value is a small integer made of its place and its rank, so that a part that is missing, doubled,
or from the wrong rank shows as a wrong value.
"""

PLACES, RANKS, OFFSETS = 251, 16, 97
"""A value is at most 250 * 16 + 96: float32 counts exactly up to 2**24, so 4000 ranks can be summed."""


def values(bench, rank, count, start=0):
    """Return what a rank gives: ``count`` values from the place ``start`` on."""
    return (places(bench, start, count) * (rank % RANKS + 1) + rank % OFFSETS).float()


def total(bench, world, count, start=0):
    """Return the sum over all ranks."""
    factor = sum(rank % RANKS + 1 for rank in range(world))
    offset = sum(rank % OFFSETS for rank in range(world))
    return (places(bench, start, count) * factor + offset).float()


def places(bench, start, count):
    """Return the places as small numbers."""
    torch = bench.torch
    return torch.arange(start, start + count, device=bench.device, dtype=torch.int32) % PLACES


def differing(got, wanted):
    """Return how many values are not what they should be."""
    return int((got != wanted).sum().item())


def all_reduce(bench, dist, peers, size):
    """Sum over all ranks, everywhere. Operations return how to begin, the work, and how to check it."""
    count = max(1, size // 4)
    buffer = bench.torch.empty(count, device=bench.device)
    return (
        lambda: buffer.copy_(values(bench, peers.rank, count)),
        lambda: dist.all_reduce(buffer),
        lambda: differing(buffer, total(bench, peers.world, count)),
    )


def all_gather(bench, dist, peers, size):
    """Every rank's part, everywhere."""
    each = max(1, size // 4 // peers.world)
    own = values(bench, peers.rank, each)
    whole = bench.torch.empty(each * peers.world, device=bench.device)
    parts = list(whole.chunk(peers.world))
    into = getattr(dist, "all_gather_into_tensor", None) or getattr(dist, "_all_gather_base", None)

    def work():
        if bench.on_gpu and into:
            into(whole, own)
        else:
            dist.all_gather(parts, own)

    def check():
        return sum(differing(part, values(bench, rank, each)) for rank, part in enumerate(parts))

    return whole.zero_, work, check


def reduce_scatter(bench, dist, peers, size):
    """Sum over all ranks, of which each rank gets its part."""
    each = max(1, size // 4 // peers.world)
    given = values(bench, peers.rank, each * peers.world)
    own = bench.torch.empty(each, device=bench.device)
    parts = list(given.chunk(peers.world))
    base = getattr(dist, "reduce_scatter_tensor", None) or getattr(dist, "_reduce_scatter_base", None)

    def work():
        if bench.on_gpu and base:
            base(own, given)
        else:
            dist.reduce_scatter(own, parts)

    return own.zero_, work, lambda: differing(own, total(bench, peers.world, each, peers.rank * each))


def all_to_all(bench, dist, peers, size):
    """Every rank's part for every rank."""
    each = max(1, size // 4 // peers.world)
    given = values(bench, peers.rank, each * peers.world)
    got = bench.torch.empty(each * peers.world, device=bench.device)

    def check():
        start = peers.rank * each
        parts = got.chunk(peers.world)
        return sum(differing(part, values(bench, rank, each, start)) for rank, part in enumerate(parts))

    return got.zero_, lambda: dist.all_to_all_single(got, given), check


def broadcast(bench, dist, peers, size):
    """The values of rank 0, everywhere."""
    count = max(1, size // 4)
    buffer = bench.torch.empty(count, device=bench.device)
    return (
        lambda: buffer.copy_(values(bench, peers.rank, count)),
        lambda: dist.broadcast(buffer, 0),
        lambda: differing(buffer, values(bench, 0, count)),
    )


OPERATIONS = {
    "all_reduce": all_reduce,
    "all_gather": all_gather,
    "reduce_scatter": reduce_scatter,
    "all_to_all": all_to_all,
    "broadcast": broadcast,
}


def _moved(world):
    return (world - 1) / float(world)


FACTORS = {
    "all_reduce": lambda world: 2 * _moved(world),
    "all_gather": _moved,
    "reduce_scatter": _moved,
    "all_to_all": _moved,
    "broadcast": lambda world: 1.0,
}
"""Bus bandwidth over algorithm bandwidth, by the number of ranks."""
