"""How fast a DataLoader feeds samples, with and without worker processes."""

# ruff: noqa: S108 - /dev/shm is the subject, not a temporary file
import os
import re
import time
import zlib

from codeblue_trials.bench import one_line, words
from codeblue_trials.crowd import Failed, alone, tie

SHAPE = (3, 224, 224)
"""The usual image."""
IMAGE = 3 * 224 * 224
BATCH, SMALL_BATCH = 32, 8
ROUNDS = 6
"""Times that a sample is unpacked: about as long as a JPEG of 500 × 375 pixels takes to decode."""
MOST = 8
PREFETCH = 2
"""Batches that each worker keeps ready, as torch does by default."""
PATIENCE = 10.0
"""Seconds for one batch; a DataLoader may wait for ever for a worker that is gone."""
SHM = "/dev/shm"
BARELY_USED = 16 << 20
"""Bytes of /dev/shm that may be in use where nobody works with it."""


class Unpacked:
    """A data set whose samples cost processor time: each is unpacked, as an image is decoded."""

    def __init__(self, torch, packed):
        self.torch = torch
        self.packed = packed

    def __len__(self):
        return 1 << 30

    def __getitem__(self, index):
        for _ in range(ROUNDS):
            content = zlib.decompress(self.packed)
        torch = self.torch
        return torch.frombuffer(bytearray(content), dtype=torch.uint8).view(SHAPE).float()


class Held:
    """A data set in memory: what it costs is the way from the worker to the job."""

    def __init__(self, torch):
        self.samples = torch.zeros((16,) + SHAPE)

    def __len__(self):
        return 1 << 30

    def __getitem__(self, index):
        return self.samples[index % 16]


class Reproducible:
    """Without shuffling the order is 0, 1, 2 …; a sampler of a huge data set would first build it."""

    def __iter__(self):
        return iter(range(1 << 30))

    def __len__(self):
        return 1 << 30


def fed(bench, kind, workers, seconds):
    """Return the row of one data set with so many workers. Its failure is a fact."""
    try:
        left = _left_alone(bench, workers)
        if left:
            return {"left_alone": left}
        return alone(lambda: _forked(bench, kind, workers, seconds), PATIENCE + 2 * seconds + 2)
    except Failed as why:
        return {"error": str(why)}


def _forked(bench, kind, workers, seconds):
    # The threads of OpenMP that an earlier trial has started are not in a fork, which would wait for them.
    bench.torch.set_num_threads(1)
    return _guarded(bench, kind, workers, seconds)


def _guarded(bench, kind, workers, seconds, pin=False):
    try:
        return _fed(bench, kind, workers, seconds, pin)
    except Exception as error:  # a worker that died, a full file system, a limit: that is the fact
        return {"error": point(error)}


def point(error):
    """Return an error in one line; of a worker's traceback the line that says what happened."""
    told = [line for line in str(error).splitlines() if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return one_line(told[-1]) if told else words(error)


def pinned(bench, workers, seconds):
    """Return the row of the data set in memory with pinned batches that are copied to the GPU.

    In this process: a fork of it cannot use the GPU.
    """
    return _guarded(bench, "memory", workers, seconds, True)


def counts(usable):
    """Return the numbers of workers to be tried."""
    return sorted({0, 1, 2, min(MOST, max(1, usable))})


def _left_alone(bench, workers):
    """Return why these workers are not tried: others use /dev/shm, and we would take the last of it."""
    try:
        told = os.statvfs(SHM)
    except OSError:
        return None
    total, free = told.f_blocks * told.f_frsize, told.f_bavail * told.f_frsize
    need = 4 * IMAGE * batch(bench) * (workers * PREFETCH + 1)
    if workers and total and need > free // 2 and total - told.f_bfree * told.f_frsize > BARELY_USED:
        return "others use /dev/shm and %d MiB are free" % (free >> 20)
    return None


def batch(bench):
    """Return the number of samples of a batch."""
    return SMALL_BATCH if bench.small else BATCH


def _fed(bench, kind, workers, seconds, pin):
    from torch.utils.data import DataLoader

    torch, started = bench.torch, time.perf_counter()
    data = Held(torch) if kind == "memory" else Unpacked(torch, _packed())
    parent = os.getpid()
    loader = DataLoader(
        data,
        batch_size=batch(bench),
        sampler=Reproducible(),
        num_workers=workers,
        pin_memory=pin,
        timeout=PATIENCE if workers else 0,
        worker_init_fn=(lambda _: tie(parent)) if workers else None,
    )
    batches = iter(loader)
    take = (lambda: next(batches).to(bench.device, non_blocking=True)) if pin else (lambda: next(batches))
    take()
    row = {"first_seconds": round(time.perf_counter() - started, 3)}
    row.update(_rate(take, workers, seconds))
    bench.wait() if pin else None
    row["samples_per_second"] = round(row["batches_per_second"] * batch(bench), 1)
    row["mbs"] = round(row["samples_per_second"] * 4 * IMAGE / 1e6, 1)
    del row["batches_per_second"]
    return row


def _rate(take, workers, seconds):
    """Return the steady rate: each worker has one batch under way when the first arrives."""
    for _ in range(workers):
        take()
    count, begun = 0, time.perf_counter()
    while count < 2 or time.perf_counter() - begun < seconds:
        take()
        count += 1
        elapsed = time.perf_counter() - begun
    return {"batches_per_second": count / elapsed}


def _packed():
    """Return a packed sample that shrinks by half, about as natural images do."""
    noise = os.urandom(IMAGE // 2)
    return zlib.compress(b"".join(noise[place : place + 1] * 2 for place in range(len(noise))), 1)
