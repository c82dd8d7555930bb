"""``python -m benchmarks.matrix [--runs N]``: loading the tables, one check, one search for a set.

Each figure stands beside something real that the same machine does: ``import json`` for the loading of
the tables that the matrix asks, ``pip --version`` for the rest. It is the work of the processor, which on
an idle machine is the time by the clock. Loading and searching are measured in fresh interpreters, so
that nothing is remembered; a check is the median of many in one.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
from typing import NamedTuple

TABLES = ("torch_releases", "drivers", "cuda_toolkits", "gpus", "known_bad", "tensorrt", "cudnn", "security")
START = "import time; started = time.process_time()\n"
STOP = "\nimport json; print(json.dumps(time.process_time() - started))"
JSON = f"{START}import json{STOP}"
LOAD = f"""
import importlib.resources
from codeblue.knowledge.tables import table
{START}
for name in {TABLES}:
    table(name){STOP}"""
MACHINE = """
from codeblue.model.combination import Combination, Part
def machine(driver, *gpus, **more):
    parts = {name: Part(value, "benchmark") for name, value in {"driver": driver, **more}.items()}
    return Combination(gpus=tuple(Part(gpu, "benchmark") for gpu in gpus)).having(parts)
"""
CHECK = f"""{MACHINE}
import json, statistics, time
from codeblue.matrix.judge import judge
asked = machine("535.129.03", "H100", "RTX 4090", python="3.11", torch="2.7.1+cu126", torchvision="0.22.1")
judge(asked)
def once():
    started = time.process_time()
    judge(asked)
    return time.process_time() - started
print(json.dumps(statistics.median(once() for _ in range(500))))
"""
SOLVE = """
import json, time
from codeblue.matrix.solve.search import solve
from codeblue.matrix.solve.wishes import wishes
started = time.process_time()
found = solve({machine}, wishes([{want!r}]))
print(json.dumps(time.process_time() - started))
"""


class Search(NamedTuple):
    """A question for the search."""

    title: str
    machine: str
    want: str


SEARCHES = (
    Search(
        "add torch and torchvision", 'machine("525", "A100", "RTX 4090", python="3.10")', "torch,torchvision"
    ),
    Search(
        "every tier up to another driver", 'machine("470", "RTX 3090", python="3.8")', "torch>=2.8,tensorrt"
    ),
    Search("no set at all", 'machine("470", "RTX 3090", glibc="musl")', "torch,torchvision,torchaudio"),
)


def seconds(code: str) -> float:
    """Return what a fresh interpreter says that its work took, in seconds."""
    said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout
    return float(json.loads(said))


def pip() -> float:
    """Return the work of ``pip --version``, in seconds."""
    before = _work_of_children()
    subprocess.run([sys.executable, "-m", "pip", "--version"], stdout=subprocess.DEVNULL, check=True)
    return _work_of_children() - before


def _work_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def median(runs: int, code: str) -> float:
    """Return the median of fresh runs, after one that warms the file cache."""
    seconds(code)
    return statistics.median(seconds(code) for _ in range(runs))


def row(title: str, ours: float, theirs: float, target: str) -> None:
    """Print one line: our milliseconds, theirs, the ratio and what was promised."""
    print(
        f"{title:<52} {1000 * ours:8.2f} ms {1000 * theirs:8.2f} ms  ratio {ours / theirs:7.3f}   {target}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.matrix", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    version = statistics.median(pip() for _ in range(runs))
    row("load the tables / import json", median(runs, LOAD), median(runs, JSON), "under 30 ms")
    row("one check / pip --version", median(runs, CHECK), version, "under 1 ms")
    for search in SEARCHES:
        code = MACHINE + SOLVE.format(machine=search.machine, want=search.want)
        row(f"solve: {search.title} / pip --version", median(runs, code), version, "under 1000 ms")


if __name__ == "__main__":
    main()
