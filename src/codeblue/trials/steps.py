"""Who keeps the others waiting: the parts of a training step in miniature, by each rank's own clock.

All ranks leave a collective at the same moment. Each then computes the same, hands in the next one, and
waits. Who is slow, in computing or in handing in, waits least, and all the others wait for it.
"""

import time

ROUNDS, SMALL_ROUNDS, WARM = 24, 12, 3
COMPUTING = 0.008
"""Seconds of computing in a round, about."""
SIDE, SMALL_SIDE = 2048, 192


def steps(bench, dist, peers):
    """Return milliseconds: quartiles of the own part, medians of its two halves and of the waiting."""
    compute = computing(bench, peers)
    flag = bench.torch.zeros(1, device=bench.device)
    count = WARM + (SMALL_ROUNDS if bench.small else ROUNDS)
    rounds = [one(bench, dist, compute, flag) for _ in range(count)][WARM:]
    own = [computed + handed for computed, handed, _ in rounds]
    low, middle, high = quartiles(own)
    return {
        "own_ms": middle,
        "own_low_ms": low,
        "own_high_ms": high,
        "compute_ms": quartiles([row[0] for row in rounds])[1],
        "hand_in_ms": quartiles([row[1] for row in rounds])[1],
        "wait_ms": quartiles([row[2] for row in rounds])[1],
    }


def computing(bench, peers):
    """Return a function that computes for some milliseconds: the same amount on every rank."""
    torch = bench.torch
    side = SMALL_SIDE if bench.small else SIDE
    kind = torch.float16 if bench.on_gpu else torch.float32
    factor = torch.ones(side, side, device=bench.device, dtype=kind)
    out = torch.empty_like(factor)

    def once():
        torch.mm(factor, factor, out=out)

    for _ in range(3):
        once()
    bench.wait()
    fastest = min(row[0] for row in peers.table([bench.seconds(once, 8) / 8]))
    repeats = max(1, min(500, int(COMPUTING / max(fastest, 1e-7))))

    def compute():
        for _ in range(repeats):
            once()

    return compute


def one(bench, dist, compute, flag):
    """Return the seconds of computing, of handing in, and of waiting."""
    begin = time.perf_counter()
    compute()
    bench.wait()
    computed = time.perf_counter()
    handle = dist.all_reduce(flag, async_op=True)
    handed = time.perf_counter()
    handle.wait()
    bench.wait()
    return computed - begin, handed - computed, time.perf_counter() - handed


def quartiles(seconds):
    """Return the three quartiles in milliseconds."""
    ordered = sorted(seconds)
    return [round(1000 * ordered[len(ordered) * part // 4], 3) for part in (1, 2, 3)]
