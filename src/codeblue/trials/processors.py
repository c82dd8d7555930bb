"""The processors that the job may use, and what they really give."""

import ctypes
import glob
import os
import re
import subprocess
import sys
import time

from codeblue_trials.crowd import alone, together

MOST = 64
"""Processes that are started at once at most."""
GROUPS = "/sys/fs/cgroup"
PERIODS = 0.4
"""Seconds in which a quota shows: four of its usual periods."""
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
CROWD = 8
"""Processes that compute side by side in the trial of threads, as so many loader workers would."""

PRODUCTS = """\
import sys, time
import numpy
one = numpy.ones((320, 320), "float32")
one @ one
threads = sum(1 for _ in __import__("os").listdir("/proc/self/task"))
print(threads, flush=True)
sys.stdin.readline()
count, end = 0, time.time() + float(sys.argv[1])
while time.time() < end:
    one @ one
    count += 1
print(count, flush=True)
"""


def settled(order):
    """Return what is settled before anything is measured: counts, masks, limits, NUMA nodes."""
    mask = sorted(os.sched_getaffinity(0))
    quota, source = limit()
    near = {index: node for index, node in _gpu_nodes(order.get("gpus") or {}).items() if node is not None}
    return {
        "online": os.sysconf("SC_NPROCESSORS_ONLN"),
        "allowed": len(mask),
        "mask": spans(mask),
        "quota": quota,
        "quota_source": source,
        "nodes": sorted(node for node, cpus in nodes().items() if cpus & set(mask)),
        "all_nodes": len(nodes()),
        "gpu_nodes": near,
        "variables": {name: os.environ[name] for name in THREADS if name in os.environ},
    }


def usable(row):
    """Return the number of processes that can be at work at once by mask and quota."""
    return max(1, min(row["allowed"], int((row["quota"] or row["allowed"]) + 0.5)))


def delivered(row, seconds):
    """Return what the processors gave: ``effective`` of them, and who took the rest.

    A busy loop runs in one process, then in one for each processor. What one of them does in a second of
    processor time is the measure, so that a quota does not hide in it.
    """
    mask = os.sched_getaffinity(0)
    if row["quota"]:
        seconds = max(seconds, PERIODS)
    single = alone(lambda: _busy(seconds / 2), 5 * seconds + 5)
    before, begun = _times(mask), time.time()
    held = throttling()
    start = time.time() + 0.02 + 0.002 * row["allowed"]
    work = [lambda: _busy(seconds, start)] * min(MOST, row["allowed"])
    told = [one["told"] for one in together(work, 5 * seconds + 5) if "told" in one]
    elapsed, after = time.time() - begun, _times(mask)
    ours = sum(one["cpu"] for one in told)
    rate = single["count"] / max(1e-9, single["cpu"])
    found = {"effective": round(sum(one["count"] for one in told) / seconds / rate, 2), "tried": len(work)}
    found.update(_others(before, after, ours, elapsed))
    found.update(_held_back(held, throttling()))
    return found


def _busy(seconds, start=0.0):
    time.sleep(max(0.0, start - time.time()))
    count, end = 0, time.time() + seconds
    begun = time.process_time()
    while time.time() < end:
        for number in range(400):
            number * number
        count += 1
    return {"count": count, "cpu": time.process_time() - begun}


def _times(mask):
    """Return busy and stolen seconds of these processors since boot; None where the kernel does not tell."""
    tick = float(os.sysconf("SC_CLK_TCK"))
    busy = stolen = 0.0
    try:
        with open("/proc/stat") as stream:
            rows = [line.split() for line in stream if re.match(r"cpu\d", line)]
    except OSError:
        return None
    for name, *numbers in rows:
        if int(name[3:]) in mask and len(numbers) > 7:
            user, nice, system, _, _, irq, softirq, steal = (int(one) / tick for one in numbers[:8])
            busy += user + nice + system + irq + softirq
            stolen += steal
    return busy, stolen


def _others(before, after, ours, elapsed):
    """Return how many of the processors others used meanwhile, and how many the hypervisor took."""
    if before is None or after is None:
        return {}
    others = max(0.0, after[0] - before[0] - ours) / elapsed
    return {"others": round(others, 2), "stolen": round(max(0.0, after[1] - before[1]) / elapsed, 2)}


def _held_back(before, after):
    """Return the part of the periods in which the quota stopped us."""
    periods, held = (after[name] - before[name] for name in ("nr_periods", "nr_throttled"))
    return {"throttled": round(held / periods, 3)} if periods > 0 else {}


def limit():
    """Return the smallest quota of our control group and those above it in processors, and its file."""
    best, source = None, None
    for folder in folders():
        for name, read in (("cpu.max", _second), ("cpu.cfs_quota_us", _first)):
            try:
                value = read(folder, name)
            except (OSError, ValueError):
                continue
            if value is not None and (best is None or value < best):
                best, source = value, folder + "/" + name
    return (None if best is None else round(best, 3)), source


def _second(folder, name):
    quota, period = _line(folder, name).split()
    return None if quota == "max" else int(quota) / float(period)


def _first(folder, name):
    quota = int(_line(folder, name))
    return None if quota <= 0 else quota / float(_line(folder, "cpu.cfs_period_us"))


def _line(folder, name):
    with open(folder + "/" + name) as stream:
        return stream.readline().strip()


def folders():
    """Return the folders of our control group for processors and of those above it, the own one first."""
    base, path = GROUPS, "/"
    try:
        with open("/proc/self/cgroup") as stream:
            rows = [line.rstrip("\n").split(":", 2) for line in stream]
    except OSError:
        return []
    for _, controllers, where in rows:
        if "cpu" in controllers.split(","):
            base, path = _mount("cpu"), where
            break
        if not controllers:
            base, path = _mount(None), where
    if "/.." in path or not os.path.isdir(base + path):
        path = ""  # in a container the mount is the own group, whatever the path says
    found = []
    while path.strip("/"):
        found.append(base + path.rstrip("/"))
        path = path.rstrip("/").rpartition("/")[0]
    return found + [base]


def _mount(controller):
    with open("/proc/self/mounts") as stream:
        for line in stream:
            parts = line.split()
            options = parts[3].split(",")
            if parts[2] == ("cgroup" if controller else "cgroup2") and (
                not controller or controller in options
            ):
                return parts[1]
    return GROUPS


def throttling():
    """Return the counters of the quota in cpu.stat; zeros where there are none."""
    counters = {"nr_periods": 0, "nr_throttled": 0}
    source = limit()[1]
    if source is None:
        return counters
    try:
        with open(os.path.dirname(source) + "/cpu.stat") as stream:
            told = dict(line.split() for line in stream if len(line.split()) == 2)
    except OSError:
        return counters
    return {name: int(told.get(name, 0)) for name in counters}


def nodes():
    """Return node -> set of its processors; empty where the kernel knows no NUMA."""
    found = {}
    for folder in glob.glob("/sys/devices/system/node/node[0-9]*"):
        try:
            found[int(folder.rpartition("node")[2])] = numbers(_line(folder, "cpulist"))
        except (OSError, ValueError):
            continue
    return {node: cpus for node, cpus in found.items() if cpus}


def _gpu_nodes(gpus):
    """Return GPU -> its NUMA node, None where the machine does not say."""
    found = {}
    for index, pci in gpus.items():
        try:
            node = int(_line("/sys/bus/pci/devices/" + (pci or "").lower(), "numa_node"))
        except (OSError, ValueError):
            node = -1
        found[index] = node if node >= 0 else None
    return found


def numbers(text):
    """Return the numbers in a list of the kernel such as ``0-3,8``."""
    found = set()
    for part in text.split(","):
        if part.strip():
            first, _, last = part.partition("-")
            found.update(range(int(first), int(last or first) + 1))
    return found


def spans(values):
    """Return sorted numbers as the kernel writes them: ``0-3,8``."""
    parts = []
    for value in values:
        if parts and parts[-1][1] == value - 1:
            parts[-1][1] = value
        else:
            parts.append([value, value])
    return ",".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in parts)


def crowded(row, seconds):
    """Return what as many processes as a loader has workers compute side by side with NumPy.

    Once as the job's environment has it, once with one thread each. None without NumPy.
    """
    count = max(2, min(CROWD, row["allowed"]))
    free = _products(count, seconds, {})
    if free is None:
        return None
    single = _products(count, seconds, dict.fromkeys(THREADS, "1"))
    if single is None:
        return None
    return {
        "processes": count,
        "threads": free[0],
        "per_second": round(free[1] / seconds, 1),
        "per_second_single": round(single[1] / seconds, 1),
    }


def _products(count, seconds, environment):
    """Return the threads of one process and the products of all of them; None if NumPy is not there."""
    crew = []
    try:
        for _ in range(count):
            crew.append(_computing(seconds, environment))
        threads = [one.stdout.readline() for one in crew]
        if not all(line.strip().isdigit() for line in threads):
            return None
        for one in crew:
            one.stdin.write(b"\n")
            one.stdin.flush()
        return int(threads[0]), sum(int(one.stdout.readline() or 0) for one in crew)
    finally:
        for one in crew:
            one.kill()
            one.communicate()


def _computing(seconds, environment):
    parent, library = os.getpid(), ctypes.CDLL(None)

    def prepare():
        library.prctl(1, 9)  # it must not outlive us
        if os.getppid() != parent:
            os._exit(0)

    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", PRODUCTS, str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ, **environment),
        preexec_fn=prepare,
    )
