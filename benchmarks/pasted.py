"""``python -m benchmarks.pasted [--runs N] [--kb N ...]``: how long a pasted report takes to be answered.

The report is the end of a training log with an error at its end, given through standard input. Each run is a
process of its own; figures are medians of pairs taken in turn with an interpreter that only imports the
three libraries of the command line: by the clock, and by the work of the processor.
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.scan import block, measured

TRIAGE = [sys.executable, "-m", "codeblue", "triage", "-"]
BARE = [sys.executable, "-c", "import click, rich, msgspec"]
ERROR = """\
Traceback (most recent call last):
  File "/home/user/train.py", line 88, in <module>
    loss = step(batch)
RuntimeError: CUDA error: no kernel image is available for execution on the device
"""


def report(size: int) -> bytes:
    """Return a report of about so many bytes."""
    lines = block(random.Random(7), 0, size // 100)  # noqa: S311 - the same report everywhere
    return lines[: size - len(ERROR)].rpartition(b"\n")[0] + b"\n" + ERROR.encode()


def fed(command: list[str], text: Path) -> None:
    """Run a command with a text as its input, its output thrown away."""
    with text.open("rb") as file:
        subprocess.run(command, stdin=file, stdout=subprocess.DEVNULL, check=False)


def compare(title: str, runs: int, ours: Callable[[], None], theirs: Callable[[], None]) -> None:
    """Print the medians of both, in seconds, and how many times as long ours takes."""
    ours()
    theirs()
    rows = [(measured(ours), measured(theirs)) for _ in range(runs)]
    for n, kind in enumerate(("by the clock", "by work")):
        a, b = (statistics.median(row[side][n] for row in rows) for side in (0, 1))
        ratio = statistics.median(ours_[n] / theirs_[n] for ours_, theirs_ in rows)
        print(f"{title:<36} {kind:<14} {a:7.3f} s {b:7.3f} s   ratio {ratio:5.2f}", flush=True)


def main() -> None:
    """Make the reports, compare."""
    parser = argparse.ArgumentParser(prog="benchmarks.pasted", description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--kb", type=int, nargs="*", default=[3, 20, 50], help="sizes of the report")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for size in asked.kb:
            text = Path(folder) / f"{size}.txt"
            text.write_bytes(report(size << 10))
            title = f"pasted report of {size} kB / bare imports"
            compare(title, asked.runs, partial(fed, TRIAGE, text), partial(fed, BARE, text))


if __name__ == "__main__":
    main()
