"""Copies between all pairs of GPUs: bandwidth one way and both ways, latency, and whether the bits arrive."""

import time

from codeblue_trials.bench import median, words

LARGE = 1 << 28
"""Bytes of a copy whose speed counts."""
TINY = 16
"""Bytes of a copy whose latency counts."""
BATCH = 0.01
"""Seconds of one batch of copies, about; of three the median counts."""
TINY_COPIES = 100
HOLD = 20000000
"""Clock cycles for which the stream is held back while small copies are handed in."""
CHECKED = (1 << 12, 1 << 20, 1 << 26)
"""Bytes of the random patterns."""
SEED = 20261201
SECONDS = 45.0
"""For all pairs; those that no time is left for are not told."""


def run(bench, order):
    """Tell ``pairs``: of each ordered pair, such as ``0-1``, what its copies did."""
    devices = [one["index"] for one in order.get("devices", ()) if str(one["device"]).startswith("cuda")]
    if len(devices) < 2:
        bench.tell(alone=True, pairs={})
        return
    until = time.time() + order.get("seconds", SECONDS)
    places = {index: Place(bench.torch, index) for index in devices}
    pairs = {}
    for one in devices:
        for other in devices:
            if one == other or time.time() > until:
                continue
            try:
                pairs["%d-%d" % (one, other)] = pair(bench.torch, places[one], places[other])
            except Exception as error:  # a sick link; the other pairs go on
                pairs["%d-%d" % (one, other)] = {"error": words(error)}
            bench.tell(pairs=pairs)


class Place:
    """One GPU with its buffers and a random pattern that the host knows as well."""

    def __init__(self, torch, index):
        self.device = torch.device("cuda:%d" % index)
        with torch.cuda.device(self.device):
            free = torch.cuda.mem_get_info()[0]
            self.size = min(LARGE, max(CHECKED[0], free // 8))
            source = torch.Generator(device=self.device)
            source.manual_seed(SEED + index)
            count = self.size // 4
            self.pattern = torch.randint(
                -(1 << 31), (1 << 31) - 1, (count,), device=self.device, dtype=torch.int32, generator=source
            )
            self.taken = torch.zeros(count, device=self.device, dtype=torch.int32)
            self.streams = [torch.cuda.Stream(self.device) for _ in range(2)]
            self.known = self.pattern[: CHECKED[-1] // 4].cpu()
            torch.cuda.synchronize()


def pair(torch, one, other):
    """Return what copies from one GPU to the other do; ``both_gbs`` is the sum of both directions."""
    row = {"access": bool(torch.cuda.can_device_access_peer(one.device, other.device))}
    size = min(one.size, other.size)
    row["wrong"] = wrong(torch, one, other, size)
    row["gbs"] = speed(torch, [(one, other)], size)
    row["both_gbs"] = speed(torch, [(one, other), (other, one)], size)
    row["latency_us"] = latency(torch, one, other)
    return row


def copy(torch, one, other, count, lane):
    """Hand in a copy; each direction has streams of its own, or torch would let one wait for the other."""
    with torch.cuda.stream(other.streams[lane]), torch.cuda.stream(one.streams[lane]):
        other.taken[:count].copy_(one.pattern[:count], non_blocking=True)


def speed(torch, ways, size):
    """Return GB/s of copies over all these ways at once."""
    count = size // 4
    once = seconds(torch, ways, count, 2) / 2
    repeats = max(1, min(100, int(BATCH / max(once, 1e-7))))
    taken = median([seconds(torch, ways, count, repeats) / repeats for _ in range(3)])
    return float("%.4g" % (len(ways) * size / taken / 1e9))


def seconds(torch, ways, count, repeats):
    """Return how long the slowest of the ways takes, by the clock of the GPU that sends."""
    marks = []
    for lane, (one, _) in enumerate(ways):
        stream = one.streams[lane]
        with torch.cuda.device(one.device):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        marks.append((stream, begin, end))
    for stream, begin, _ in marks:
        begin.record(stream)
    for _ in range(repeats):
        for lane, (one, other) in enumerate(ways):
            copy(torch, one, other, count, lane)
    for stream, _, end in marks:
        end.record(stream)
    for _, _, end in marks:
        end.synchronize()
    return max(begin.elapsed_time(end) for _, begin, end in marks) / 1000.0


def latency(torch, one, other):
    """Return microseconds of a small copy in a row of them.

    The stream is held back until all are handed in, so that the host's own time does not count.
    """
    count = TINY // 4
    stream = one.streams[0]
    times = []
    for _ in range(3):
        with torch.cuda.device(one.device):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            if hasattr(torch.cuda, "_sleep"):
                with torch.cuda.stream(stream):
                    torch.cuda._sleep(HOLD)
        begin.record(stream)
        for _ in range(TINY_COPIES):
            copy(torch, one, other, count, 0)
        end.record(stream)
        end.synchronize()
        times.append(1000.0 * begin.elapsed_time(end) / TINY_COPIES)
    return round(min(times), 2)


def wrong(torch, one, other, size):
    """Return by way (copy engine, kernel) and size how many words arrived changed; empty if none did."""
    found = {}
    for bytes_ in CHECKED:
        if bytes_ > size:
            break
        count = bytes_ // 4
        for way, sent in (("copy", by_engine), ("kernel", by_kernel)):
            other.taken[:count].zero_()
            torch.cuda.synchronize(other.device)
            sent(one.pattern[:count], other.taken[:count])
            torch.cuda.synchronize(one.device)
            torch.cuda.synchronize(other.device)
            changed = int((other.taken[:count] != one.known[:count].to(other.device)).sum().item())
            if changed:
                found["%s of %d bytes" % (way, bytes_)] = changed
    return found


def by_engine(source, target):
    """Copy with the engine that copies memory."""
    target.copy_(source)


def by_kernel(source, target):
    """Copy by a kernel that reaches into the other GPU, as NCCL does: every second word, then the others."""
    for first in (0, 1):
        target[first::2].copy_(source[first::2])
