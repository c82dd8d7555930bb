"""``python -m benchmarks.scan [--mb N] [--runs N] [--cold] [--files N]``: the scan of a log against ripgrep.

The log is the same on every machine: eight ranks, one line in a thousand a sighting. ripgrep (if it is
installed) gets the same patterns and only counts lines; with attribution it also says, through this
program, which fault each line is. Figures are medians of pairs taken in turn: by the clock, and, for a
machine that is busy with other things, by the work of the processors. ``--files`` scans a folder of so
many files of 2 kB instead.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from codeblue.faults import index
from codeblue.model.fault import Signature
from codeblue.sources.logs import Signatures

RANKS = 8
LINES = 20_000
BLOCKS = 8
RARE = 0.001
SMALL = 2000
FOLDED = 1000
"""Small files of one folder."""
PATTERNS_OF_RUST = re.compile(r"\\([\"'`/@ ])")
GROUP = re.compile(r"\(\?P<\w+>")

HEALTHY = (
    "{ts} - trainer - INFO - step {t} loss={x:.6f} grad_norm={x:.4f} lr=3.0e-05 tokens/s=48211.3 mem=61.2GiB",
    "node-{h}:71:14{r} [{r}] NCCL INFO Channel 0{r}/0 : {r}[{r}] -> 1[1] via P2P/CUMEM/read comm 0x{a:x}",
    "{ts} - data - INFO - shard s3://bucket/tokens/part-{t:08d}.parquet rows=81920 bytes=134217728 cache=hit",
    '{{"ts":"{ts}","level":"info","event":"step","loss":{x:.6f},"nccl_ms":12.25,"fwd_ms":210.5,"rank":{r}}}',
    "I1130 14:03:21.{t:06d} 71 reconciler.go:{r}20] VerifyControllerAttachedVolume started for volume {a:x}",
    "{ts} - checkpoint - DEBUG - shard {r} in buffer 0x{a:x}, error budget 0, nvidia driver 580.95.05",
)
SIGHTINGS = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU {r} has a total capacity of "
    "79.10 GiB of which 1.10 GiB is free.",
    "RuntimeError: DataLoader worker (pid 9{r}) is killed by signal: Bus error.",
    "ValueError: batch {t} is empty",
    "CustomError: something {t}",
    "CUDA error: an illegal memory access was encountered",
)


def make(path: Path, size: int) -> None:
    """Write a log of about so many bytes."""
    randomness = random.Random(7)  # noqa: S311 - the same log everywhere
    blocks = [block(randomness, number * LINES, LINES) for number in range(BLOCKS)]
    written = 0
    with path.open("wb") as file:
        while written < size:
            for part in blocks:
                written += file.write(part)


def block(randomness: random.Random, start: int, count: int) -> bytes:
    """Return so many lines of a log, from a time on."""
    lines = []
    for t in range(start, start + count):
        r = randomness.randrange(RANKS)
        kind = SIGHTINGS if randomness.random() < RARE else HEALTHY
        at = f"2026-11-30 {t // 360_000:02d}:{t // 6000 % 60:02d}:{t // 100 % 60:02d},{t % 100:02d}0"
        line = randomness.choice(kind)
        values = {
            "r": r,
            "h": r // 4,
            "t": t,
            "ts": at,
            "x": randomness.random(),
            "a": randomness.getrandbits(40),
        }
        lines.append(f"[rank{r}]: {line.format(**values)}\n")
    return "".join(lines).encode()


def make_many(folder: Path, count: int) -> None:
    """Write so many small files, parts of the log, into folders."""
    randomness = random.Random(11)  # noqa: S311 - the same files everywhere
    log = b"".join(block(randomness, number * LINES, LINES) for number in range(BLOCKS))
    for number in range(count):
        place = folder / f"{number // FOLDED:03d}"
        place.mkdir(exist_ok=True)
        start = log.index(b"\n", randomness.randrange(len(log) - 2 * SMALL)) + 1
        (place / f"{number:06d}.log").write_bytes(log[start : log.index(b"\n", start + SMALL) + 1])


def patterns(folder: Path) -> Path:
    """Write the patterns of the catalogue in the syntax that ripgrep reads."""
    path = folder / "patterns"
    sources = [one.pattern for entry in index.entries().values() for one in entry.signatures]
    path.write_text("".join(PATTERNS_OF_RUST.sub(r"\1", GROUP.sub("(?:", s)) + "\n" for s in sources))
    return path


def twice() -> Signatures:
    """Return the catalogue and as many signatures again, as long and as rare as its own."""
    own = [(entry.id, entry.signatures) for entry in index.entries().values()]
    others = [
        (f"{fault}-other", tuple(Signature(_other(one.anchor), _other(one.pattern)) for one in signatures))
        for fault, signatures in own
    ]
    return Signatures([*own, *others])


def _other(text: str) -> str:
    """Return a pattern of the same shape with other words: each lower-case vowel is the next one."""
    return re.sub(
        r"(\\.|\(\?P<\w+>|\[[^\]]*\])|[aeiou]",
        lambda found: found.group(1) or "aeioua"["aeiou".index(found.group()) + 1],
        text,
    )


SCAN = """
import resource, sys, time, json
from codeblue.faults import index
from codeblue.sources.logs import Signatures
from codeblue.sources.scan.read import scan
if sys.argv[3] == "twice":
    from benchmarks.scan import twice
    signatures = twice()
else:
    signatures = Signatures((entry.id, entry.signatures) for entry in index.entries().values())
started = time.monotonic()
result = scan(sys.argv[1], signatures, int(sys.argv[2]))
print(json.dumps({
    "seconds": time.monotonic() - started,
    "lines": sum(one.repeats for one in result.seen),
    "files": result.files,
    "streams": len(result.streams),
    "own": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    "child": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10,
}))
"""


ATTRIBUTE = """
import subprocess, sys
from benchmarks.scan import own
signatures = own()
with subprocess.Popen(["rg", "-n", "-f", *sys.argv[1:]], stdout=subprocess.PIPE, text=True) as rg:
    for line in rg.stdout:
        list(signatures.match(line.partition(":")[2].rstrip()))
"""


def own() -> Signatures:
    """Return the catalogue."""
    return Signatures((entry.id, entry.signatures) for entry in index.entries().values())


CATALOGUES = ("once", "twice")


def codeblue(log: Path, processes: int, catalogue: str = "once") -> dict[str, float]:
    """Scan in a process of its own; return what it says of itself."""
    command = [sys.executable, "-c", SCAN, str(log), str(processes), catalogue]
    said: dict[str, float] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return said


def ripgrep(log: Path, folder: Path) -> None:
    """Count the lines that match."""
    command = ["rg", "-c", "-f", str(folder / "patterns"), str(log)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def ripgrep_and_attribution(log: Path, folder: Path) -> None:
    """Give each line that matches to the signatures too."""
    subprocess.run([sys.executable, "-c", ATTRIBUTE, str(folder / "patterns"), str(log)], check=True)


def cat(log: Path) -> None:
    """Only read."""
    subprocess.run(["cat", str(log)], stdout=subprocess.DEVNULL, check=True)


def cold(log: Path) -> None:
    """Drop the log from the page cache."""
    descriptor = os.open(log, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of the clock and of the processors that the children of a piece of work take."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(
    name: str, size: int, runs: int, ours: Callable[[], object], theirs: Callable[[], object]
) -> None:
    """Print the medians of both in MB/s, and of how many times ours is as fast."""
    rows = [(measured(ours), measured(theirs)) for _ in range(runs)]
    a, b = (statistics.median(row[n][0] for row in rows) for n in (0, 1))
    clock, work = (statistics.median(y[n] / max(x[n], 0.001) for x, y in rows) for n in (0, 1))
    speeds = f"{size / a / 1e6:6.0f} MB/s {size / b / 1e6:6.0f} MB/s"
    print(f"{name:<52} {speeds}   x {clock:5.2f}   by work x {work:5.2f}", flush=True)


def main() -> None:
    """Make the log, compare, remove it."""
    parser = argparse.ArgumentParser(prog="benchmarks.scan", description=__doc__)
    parser.add_argument("--mb", type=int, default=256, help="size of the log")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where the log is made")
    parser.add_argument("--cold", action="store_true", help="also with an empty page cache")
    parser.add_argument("--files", type=int, help="scan a folder of so many small files instead")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        folder = Path(name)
        if asked.files:
            make_many(folder, asked.files)
            _run_many(folder)
            return
        log = folder / "job.log"
        make(log, asked.mb << 20)
        _run(folder, log, asked.runs, asked.cold)


def _run_many(folder: Path) -> None:
    said: list[dict[str, float]] = []
    wall, work = measured(lambda: said.append(codeblue(folder, 2)))
    print(f"{said[0]['files']:.0f} files: {wall:.1f} s, {work:.1f} s of processor time", end=", ")
    print(f"peak memory {said[0]['own']:.0f} MB and {said[0]['child']:.0f} MB")


def _run(folder: Path, log: Path, runs: int, also_cold: bool) -> None:
    patterns(folder)
    size = log.stat().st_size
    said = codeblue(log, 2)  # compiles what is kept from then on
    print(f"{size / 1e6:.0f} MB, {said['lines']:.0f} sightings, {said['streams']:.0f} streams")
    for processes in (1, 2) if shutil.which("rg") else ():
        ours = partial(codeblue, log, processes)
        title = f"codeblue, {processes} process(es) / rg"
        compare(title, size, runs, ours, partial(ripgrep, log, folder))
        compare(f"{title} and attribution", size, runs, ours, partial(ripgrep_and_attribution, log, folder))
    compare("codeblue, 2 processes / cat", size, runs, partial(codeblue, log, 2), partial(cat, log))
    once, doubled = (partial(codeblue, log, 1, catalogue) for catalogue in CATALOGUES)
    doubled()
    compare("twice the signatures / once", size, runs, doubled, once)
    if also_cold:
        search, read = partial(codeblue, log, 2), partial(cat, log)
        title = "codeblue, 2 processes / cat, both cold"
        compare(title, size, runs, partial(_cold, log, search), partial(_cold, log, read))
    said = codeblue(log, 2)
    print(f"peak memory: {said['own']:.0f} MB, and {said['child']:.0f} MB for the largest of its 2 processes")


def _cold(log: Path, work: Callable[[], object]) -> None:
    cold(log)
    work()


if __name__ == "__main__":
    main()
