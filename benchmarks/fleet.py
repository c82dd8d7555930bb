"""``python -m benchmarks.fleet [--nodes N] [--kinds KIND]``: synthetic fleets, step by step.

Kinds: ``identical`` nodes differ in their names only, ``usual`` ones as nodes of one model do, and of
``different`` ones no two share a section. Every 50th node has a real fault of the lab. Each step is its own
process; the seconds are the work of all its processors, the memory is the sum of the peaks of its processes.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.synthetic import replies, run_of
from codeblue.cli.fleet.judging import judged
from codeblue.cli.fleet.kept import opened
from codeblue.fleet.cascades import cascades
from codeblue.fleet.oddities import oddities
from codeblue.fleet.shared import shared
from codeblue.fleet.store import Store
from codeblue.report.fleet import html
from codeblue.sources.site import Loaded

KINDS = ("identical", "usual", "different")
STEPS = ("store", "diagnose", "tables", "oddities", "open", "query", "report")
QUESTION = (
    "select f.fault, x.value, count(*) from findings f join facts x using (run, node) "
    "where x.path = 'driver.module_version' group by all order by all"
)


Work = Callable[[], str | None]
"""Does one step, and may say something of what came of it."""


def store(place: Path, nodes: int, kind: str) -> Work:
    """Keep all answers."""
    run = run_of(nodes)
    how: dict[str, Any] = {} if kind == "usual" else {kind: True}

    def work() -> str:
        kept = Store(place)
        kept.begin(run)
        for _ in kept.add(run, replies(run, **how)):
            pass
        return f"{sum(file.stat().st_size for file in place.rglob('*.parquet')) / nodes / 1024:.1f} kB a node"

    return work


def diagnose(place: Path, nodes: int, kind: str) -> Work:
    """Judge all nodes, and look for what they share."""
    kept = Store(place)

    def work() -> None:
        found = judged(kept, kept.run("last"), Loaded())
        cascades(found)
        assert len(found) == nodes

    return work


def tables(place: Path, nodes: int, kind: str) -> Work:
    """Take the facts out of the sections; once for a run."""
    kept = Store(place)
    return lambda: opened(kept, [kept.run("last")], Loaded())[0].close()


def odd(place: Path, nodes: int, kind: str) -> Work:
    """Say who differs from the rest."""
    kept = Store(place)
    run = kept.run("last")
    database, [(_, found)] = opened(kept, [run], Loaded())
    return lambda: f"{len(oddities(database, run, found).found)} odd"


def query(place: Path, nodes: int, kind: str) -> Work:
    """Answer one question, the tables being open."""
    kept = Store(place)
    database, _ = opened(kept, [kept.run("last")], Loaded())
    return lambda: f"{len(database.execute(QUESTION).fetchall())} rows"


def start(place: Path, nodes: int, kind: str) -> Work:
    """Open the tables, which comes before every question."""
    kept = Store(place)
    return lambda: opened(kept, [kept.run("last")], Loaded())[0].close()


def report(place: Path, nodes: int, kind: str) -> Work:
    """Write the page."""
    kept = Store(place)
    run = kept.run("last")
    database, [(_, found)] = opened(kept, [run], Loaded())
    differs = oddities(database, run, found)

    def work() -> str:
        page = html.render(run, found, shared(found), "en", cascades(found), differs)
        return f"{len(page.encode()) >> 10} kB"

    return work


WORK = dict(zip(STEPS, (store, diagnose, tables, odd, start, query, report), strict=True))


def step(name: str, place: Path, nodes: int, kind: str) -> dict[str, Any]:
    """Do one step in this process and return its cost."""
    work = WORK[name](place, nodes, kind)
    started, wall = _work(), time.monotonic()
    told = work()
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "work": _work() - started,
        "wall": time.monotonic() - wall,
        "memory": sum(one.ru_maxrss for one in usage) / 1024,
        "told": told or "",
    }


def _work() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Measure and print one row a fleet and step."""
    parser = argparse.ArgumentParser(prog="benchmarks.fleet", description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument("--step", nargs=2, metavar=("NAME", "STORE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.step:
        name, place = asked.step
        print(json.dumps(step(name, Path(place), asked.nodes[0], asked.kinds[0])))
        return
    print(f"{'fleet':<22}{'step':<10}{'work s':>8}{'wall s':>8}{'ms/node':>9}{'MB':>7}")
    for kind in asked.kinds:
        for nodes in asked.nodes:
            with tempfile.TemporaryDirectory() as place:
                for name in asked.steps:
                    _row(name, place, nodes, kind)


def _row(name: str, place: str, nodes: int, kind: str) -> None:
    command = [sys.executable, "-m", "benchmarks.fleet", "--nodes", str(nodes), "--kinds", kind]
    done = subprocess.run([*command, "--step", name, place], stdout=subprocess.PIPE, check=True)
    cost = json.loads(done.stdout)
    each = cost["work"] / nodes * 1000
    numbers = f"{cost['work']:8.2f}{cost['wall']:8.2f}{each:9.2f}{cost['memory']:7.0f}"
    print(f"{nodes:>7} {kind:<14}{name:<10}{numbers}  {cost['told']}", flush=True)


if __name__ == "__main__":
    main()
