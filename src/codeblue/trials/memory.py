"""Bandwidth of the device's memory and of the way to it, and whether every byte of it keeps its value."""

import os

from codeblue_trials.bench import median, words
from codeblue_trials.sampler import Sampler

WINDOW = 0.6
"""Seconds for each speed."""
COPIED, TRIAD, TESTED = 0.42, 0.28, 0.88
"""Parts of the free memory: of each of two buffers, of each of three, of the one that is tested."""
BLOCK = 256 << 20
"""Bytes that are compared at a time."""
SMALL = 8 << 20
MOVED = 512 << 20
"""Bytes moved between host and device at a time."""
PATTERNS = (0x5555555555555555, 0x2AAAAAAAAAAAAAAA)
"""Mixed with the address, so that a value in a wrong place is seen; in the second every bit is turned."""
PLACES = 8
"""Wrong addresses that are told."""


def run(bench, order):
    """Tell speeds of the ``device``, a ``pattern`` test, transfers with the ``host``, and counters."""
    sampler = Sampler(bench.pci)
    before = sampler.errors()
    facts = {"total_bytes": total(bench)}
    bench.tell(**facts)
    for name, part in (("device", speeds), ("pattern", patterns), ("host", host_transfers)):
        try:
            bench.tell(**{name: part(bench)})
        except Exception as error:  # memory that somebody has taken meanwhile; the other parts go on
            bench.tell(**{name: {"error": words(error)}})
        bench.forget()
    bench.tell(errors_before=before, errors_after=sampler.errors())


def total(bench):
    """Return the bytes of the device's memory."""
    return (
        bench.torch.cuda.get_device_properties(bench.device).total_memory
        if bench.on_gpu
        else bench.free_bytes()
    )


def speeds(bench):
    """Return GB/s of copy and triad, counting what is read and what is written."""
    free = room(bench)
    copy = copied(bench, int(free * COPIED) // 4)
    bench.forget()
    count = int(free * TRIAD) // 4
    return {"copy_gbs": copy, "triad_gbs": triad(bench, count), "bytes": 3 * 4 * count}


def copied(bench, count):
    """Return GB/s of a copy of ``count`` floats."""
    source = bench.torch.ones(count, device=bench.device)
    target = bench.torch.empty_like(source)
    times = bench.batches(lambda: target.copy_(source), window(bench))
    return round(2 * 4 * count / median(times) / 1e9, 2)


def triad(bench, count):
    """Return GB/s of c = a + 3 b over ``count`` floats each."""
    left, right = (bench.torch.ones(count, device=bench.device) for _ in range(2))
    target = bench.torch.empty_like(left)
    times = bench.batches(lambda: bench.torch.add(left, right, alpha=3.0, out=target), window(bench))
    return round(3 * 4 * count / median(times) / 1e9, 2)


def patterns(bench):
    """Return how many bytes kept their values, and the offsets of those that did not."""
    torch = bench.torch
    free = room(bench)
    count = int(free * TESTED) // 8
    block = min(BLOCK, free // 40) // 8  # three of them are needed beside what is tested
    memory = torch.empty(count, dtype=torch.int64, device=bench.device)
    steps = torch.arange(block, dtype=torch.int64, device=bench.device)
    wrong, places = 0, []
    for pattern in PATTERNS:
        for start in range(0, count, block):
            part = memory[start : start + block]
            part.copy_((steps[: part.numel()] + start) ^ pattern)
        for start in range(0, count, block):
            part = memory[start : start + block]
            differ = part != (steps[: part.numel()] + start) ^ pattern
            number = int(differ.sum().item())
            if number:
                wrong += number
                found = differ.nonzero().flatten()[: PLACES - len(places)].tolist()
                places += [8 * (start + place) for place in found]
    return {"bytes": 8 * count, "wrong": wrong, "offsets": places}


def host_transfers(bench):
    """Return GB/s to the device and back, pinned and not, from the memory of each NUMA node."""
    torch = bench.torch
    if not bench.on_gpu:
        return {"error": "there is no device behind the host's memory"}
    size = SMALL if bench.small else min(MOVED, bench.free_bytes() // 4)
    device = torch.empty(size, dtype=torch.uint8, device=bench.device)
    row = {"bytes": size, "nodes": {}}
    pageable = torch.ones(size, dtype=torch.uint8)
    row["pageable_to_gbs"] = rate(bench, lambda: device.copy_(pageable), size)
    row["pageable_from_gbs"] = rate(bench, lambda: pageable.copy_(device), size)
    allowed = os.sched_getaffinity(0)
    for node, processors in nodes().items():
        if processors & allowed:
            row["nodes"][node] = from_node(bench, device, processors & allowed, size)
    os.sched_setaffinity(0, allowed)
    row["gpu_node"] = node_of(bench.pci)
    return row


def from_node(bench, device, processors, size):
    """Return GB/s both ways between the device and pinned memory that these processors have touched first."""
    os.sched_setaffinity(0, processors)
    pinned = bench.torch.empty(size, dtype=bench.torch.uint8, pin_memory=True)
    pinned.fill_(1)
    return {
        "to_gbs": rate(bench, lambda: device.copy_(pinned, non_blocking=True), size),
        "from_gbs": rate(bench, lambda: pinned.copy_(device, non_blocking=True), size),
        "processors": len(processors),
    }


def rate(bench, move, size):
    """Return GB/s of one direction."""
    return round(size / median(bench.batches(move, window(bench) / 2)) / 1e9, 2)


def nodes():
    """Return the processors of each NUMA node; one node where the kernel does not tell."""
    folder = "/sys/devices/system/node"
    found = {}
    try:
        names = sorted(name for name in os.listdir(folder) if name[:4] == "node" and name[4:].isdigit())
        for name in names:
            with open(os.path.join(folder, name, "cpulist")) as stream:
                processors = numbers(stream.read())
            if processors:
                found[name[4:]] = processors
    except OSError:
        pass  # a kernel without NUMA
    return found or {"0": os.sched_getaffinity(0)}


def numbers(text):
    """Return the numbers of a list such as ``0-3,8``."""
    found = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        if first.isdigit():
            found.update(range(int(first), int(last or first) + 1))
    return found


def node_of(pci):
    """Return the NUMA node of a PCI function; None where the firmware does not say."""
    try:
        with open("/sys/bus/pci/devices/%s/numa_node" % pci) as stream:
            node = int(stream.read())
    except (OSError, ValueError):
        return None
    return node if node >= 0 else None


def room(bench):
    """Return the bytes that a trial may take."""
    return 4 * SMALL if bench.small else bench.free_bytes()


def window(bench):
    """Return the seconds for one speed."""
    return 0.1 if bench.small else WINDOW
