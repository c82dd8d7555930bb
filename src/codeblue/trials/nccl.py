"""Collective operations of all workers together: bus bandwidth, right results, and who is late.

Bandwidths are those of nccl-tests (doc/PERFORMANCE.md): the size is that of the larger buffer of a rank,
the factor of the operation makes the number comparable to the speed of the links.
"""

import os
import threading
import time
from datetime import timedelta

from codeblue_trials.bench import median
from codeblue_trials.collectives import FACTORS, OPERATIONS
from codeblue_trials.meeting import join
from codeblue_trials.steps import steps

SIZES = (1 << 13, 1 << 17, 1 << 21, 1 << 25, 1 << 29)
SMALL_SIZES = (1 << 12, 1 << 18, 1 << 22)
"""Bytes of a message."""
SECONDS, SMALL_SECONDS = 40.0, 12.0
"""For all operations together; the larger sizes of a slow way are left out."""
BATCHES = 5
BATCH, SMALL_BATCH = 0.03, 0.01
"""Seconds of one batch, about."""
MOST = 50
"""Calls in one batch at most."""
JOINING = 45
"""Seconds in which all must have met, and after which a hanging operation fails."""


def run(bench, order):
    """Tell ``step``: how long each part of a step took this rank; ``collectives`` by operation and size."""
    rank, world = order.get("rank", bench.rank), order.get("world", bench.world)
    if world < 2:
        bench.tell(alone=True)
        return
    import torch.distributed as dist

    backend = "nccl" if bench.on_gpu else "gloo"
    bench.tell(rank=rank, world=world, backend=backend, at="meeting", gpu=gpu(bench))
    ended = watched(bench, order.get("limit"))
    join(dist, order, backend, rank, world, timedelta(seconds=order.get("joining", JOINING)))
    peers = Peers(bench, dist, rank, world)
    bench.tell(at="first collective")
    peers.table([0.0])
    bench.tell(at="step", nccl=version(bench))
    bench.tell(step=steps(bench, dist, peers))
    measure(bench, dist, peers, order)
    bench.tell(at="end")
    dist.destroy_process_group()
    ended.set()


def watched(bench, limit):
    """Leave when the time is over, where nobody else watches: a launcher would wait for ever."""
    ended = threading.Event()

    def watch():
        if not ended.wait(limit):
            bench.tell(error="not finished within %d s" % limit)
            os._exit(1)

    if limit:
        threading.Thread(target=watch, daemon=True).start()
    return ended


def gpu(bench):
    """Return what the driver calls the device; None for the processor."""
    return bench.torch.cuda.get_device_name(bench.device) if bench.on_gpu else None


def version(bench):
    """Return the version of NCCL that torch brings; None without GPU."""
    if not bench.on_gpu:
        return None
    told = bench.torch.cuda.nccl.version()
    return ".".join(map(str, told)) if isinstance(told, tuple) else str(told)


class Peers:
    """All ranks, and what they tell each other."""

    def __init__(self, bench, dist, rank, world):
        self.bench = bench
        self.dist = dist
        self.rank = rank
        self.world = world

    def table(self, numbers):
        """Return the same list of numbers of each rank; all wait for the last one."""
        torch = self.bench.torch
        own = torch.tensor(numbers, dtype=torch.float64, device=self.bench.device)
        every = [torch.empty_like(own) for _ in range(self.world)]
        self.dist.all_gather(every, own)
        return [one.tolist() for one in every]

    def worst(self, number):
        """Return the largest of everybody's number."""
        return max(row[0] for row in self.table([number]))


def measure(bench, dist, peers, order):
    """Tell one operation after the other."""
    sizes = order.get("sizes") or (SMALL_SIZES if bench.small else SIZES)
    until = time.time() + order.get("seconds", SMALL_SECONDS if bench.small else SECONDS)
    found = {}
    for number, name in enumerate(OPERATIONS):
        share = max(0.0, until - time.time()) / (len(OPERATIONS) - number)
        found[name] = {}
        end = time.time() + share
        for size in sizes:
            bench.tell(at="%s of %d bytes" % (name, size))
            room = peers.worst(-(bench.free_bytes() if bench.on_gpu else 1 << 30))
            left = end if size != sizes[0] else None
            row = None if size > -room // 8 else operation(bench, dist, peers, name, size, left)
            if row is None:
                break
            found[name][str(size)] = row
            bench.tell(collectives=found)
        bench.forget()


def operation(bench, dist, peers, name, size, end):
    """Return time, bandwidth and wrong values of one size; None if it would not be done by ``end``."""
    begin, work, check = OPERATIONS[name](bench, dist, peers, size)
    begin()
    work()
    bench.wait()
    wrong = check()
    once = peers.worst(bench.seconds(work, 1))
    if end is not None and peers.worst(float(time.time() + once * (BATCHES + 1) > end)):
        return {"wrong": wrong} if wrong else None
    times = timed(bench, peers, work, once)
    begin()
    work()
    bench.wait()
    wrong += check()
    algorithm = size / times / 1e9
    return {
        "seconds": float("%.6g" % times),
        "algbw": float("%.6g" % algorithm),
        "busbw": float("%.6g" % (algorithm * FACTORS[name](peers.world))),
        "wrong": wrong,
    }


def timed(bench, peers, work, once):
    """Return the seconds of one call: the median of batches, each the mean over the ranks."""
    repeats = max(1, min(MOST, int((SMALL_BATCH if bench.small else BATCH) / max(once, 1e-7))))
    times = []
    for _ in range(BATCHES):
        peers.table([0.0])
        times.append(bench.seconds(work, repeats) / repeats)
    table = peers.table(times)
    return median([sum(row[batch] for row in table) / peers.world for batch in range(BATCHES)])
