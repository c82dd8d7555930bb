"""``python -m benchmarks [--runs N] [--python PATH]``: medians and ratios, pair by pair."""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

TORCH = "import torch; torch.cuda.init(); torch.cuda.synchronize()"
CODEBLUE = [sys.executable, "-m", "codeblue"]


def wall(arguments: list[str]) -> float:
    """Return the seconds that a command takes, its output thrown away."""
    started = time.monotonic()
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - started


def pairs(a: Callable[[], float], b: Callable[[], float], runs: int) -> tuple[float, float, float]:
    """Return the medians of ``a`` and ``b`` and of their ratio, taken in turn after one warm-up each."""
    a(), b()
    rows = [(a(), b()) for _ in range(runs)]
    ratio = statistics.median(x / y for x, y in rows)
    return statistics.median(x for x, _ in rows), statistics.median(y for _, y in rows), ratio


def compare(title: str, ours: list[str], theirs: list[str], runs: int, target: str) -> None:
    """Print one row: our seconds, theirs, the ratio and what was promised."""
    a, b, ratio = pairs(lambda: wall(ours), lambda: wall(theirs), runs)
    print(f"{title:<58} {a:7.3f} s {b:7.3f} s  ratio {ratio:6.2f}   {target}", flush=True)


def main() -> None:
    """Run the comparisons that this machine allows."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="interpreter of the job")
    asked = parser.parse_args()
    job, check = asked.python, [*CODEBLUE, "check", f"python:{asked.python}"]
    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    compare("codeblue --help / bare interpreter", [*CODEBLUE, "--help"], bare, asked.runs, "under 0.15 s")
    compare("check --fast / bare interpreter", [*check, "--fast"], bare, asked.runs, "under 0.6 s")
    has_torch = subprocess.run([job, "-c", "import torch"], capture_output=True, check=False).returncode == 0
    if has_torch:
        compare("check / import torch + cuda.init", check, [job, "-c", TORCH], asked.runs, "at most 1.15")
        collect = [job, "-m", "torch.utils.collect_env"]
        compare("check / torch.utils.collect_env", check, collect, asked.runs, "at most 1")
    else:
        compare("check without torch / bare interpreter", check, bare, asked.runs, "under 1 s")
    memory = peak_of_check(check)
    print(f"{'peak memory of codeblue itself':<58} {memory:7.1f} MB{'':>24} under 80 MB")


def peak_of_check(check: list[str]) -> float:
    """Return the peak memory of the checking process, in megabytes."""
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(check[0], check)
    return os.wait4(pid, 0)[2].ru_maxrss / 1024


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
