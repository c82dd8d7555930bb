"""``python -m benchmarks.engines [--nodes N]``: what a fleet costs beyond its engine, node by node.

The engines are those of the tests, all on this machine: one sshd under many names, a Slurm controller with
four nodes, a Ray cluster with four (``sh scripts/ray.sh``). Each is asked to do nothing on every node, then
to run the probe. All nodes share the processors of this machine, so the probe itself is measured too: as
often as there are nodes, without any engine. Work is that of the whole machine: let it do nothing else.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from codeblue.sources.probe_text import program
from tests.fleet import cluster as slurm
from tests.fleet import hosts as ssh
from tests.fleet import test_ray_engine as ray
from tests.fleet.private import CODEBLUE

NO_OP = """
import ray, sys
ray.init(address=sys.argv[1], logging_level="ERROR", log_to_driver=False)
@ray.remote(num_cpus=0)
def nothing():
    return 0
ids = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
pin = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
ray.get([nothing.options(scheduling_strategy=pin(one, soft=False)).remote() for one in ids])
"""

AT_ONCE = 64
"""Calls of ssh at the same moment, as many as codeblue makes."""

Command = list[str]
Environment = dict[str, str]


def busy() -> float:
    """Return the seconds that the processors of this machine have worked since it started."""
    user, nice, system, _, _, irq, soft, *_ = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:]
    )
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Return seconds by the clock, and of all processors."""
    before, started = busy(), time.monotonic()
    work()
    return time.monotonic() - started, busy() - before


def quiet(command: Command, environment: Environment | None = None) -> None:
    """Run a command that must not fail by itself; a sick node is no failure."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{command[0]}: {done.stderr.strip()}")


def each(count: int, at_once: int, work: Callable[[int], None]) -> None:
    """Do something so many times."""
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(work, range(count)))


@contextmanager
def over_ssh(folder: Path, count: int) -> Iterator[tuple[Callable[[], None], Command, Environment]]:
    """One server under many names."""
    hosts = ssh.Hosts(folder)
    try:
        hosts.host("n*")
        call = [str(folder / "bin" / "ssh"), "-o", "BatchMode=yes"]

        def nothing(number: int) -> None:
            quiet([*call, f"n{number + 1:04}", "true"], hosts.environment)

        alone = partial(each, count, AT_ONCE, nothing)
        yield alone, ["--ssh", f"n[0001-{count:04}]"], hosts.environment
    finally:
        hosts.end()


@contextmanager
def over_slurm(folder: Path, count: int) -> Iterator[tuple[Callable[[], None], Command, Environment]]:
    """Four nodes, whatever was asked for."""
    cluster = slurm.Cluster(folder)
    try:
        alone = partial(quiet, ["srun", "-N4", "true"], cluster.environment)
        yield alone, ["--slurm", "-p", "gpu"], cluster.environment
    finally:
        cluster.end()


@contextmanager
def over_ray(folder: Path, count: int) -> Iterator[tuple[Callable[[], None], Command, Environment]]:
    """Four raylets, whatever was asked for."""
    with ray.started() as running:
        environment = {**os.environ, "XDG_STATE_HOME": str(folder)}
        alone = partial(quiet, [ray.PYTHON, "-c", NO_OP, running.address], environment)
        yield alone, ["--ray", running.address, "--ray-python", ray.PYTHON], environment


ENGINES = {"ssh": over_ssh, "slurm": over_slurm, "ray": over_ray}


def row(name: str, count: int, folder: Path) -> None:
    """Measure one engine, and print what was found."""
    probe_text = folder / "probe.py"
    probe_text.write_text(program({"marker": "answer:", "until": "libraries"}), encoding="utf-8")
    with ENGINES[name](folder, count) as (alone, options, environment):
        count = count if name == "ssh" else 4
        check = [*CODEBLUE, "fleet", "check", *options, "--fast", "--store", str(folder / "store")]
        alone()
        empty = measured(alone)
        probe = measured(
            lambda: each(
                count, os.cpu_count() or 1, lambda _: quiet([sys.executable, str(probe_text), "--fast"])
            )
        )
        ours = measured(lambda: quiet(check, environment))
    more = 1000 * (ours[1] - empty[1] - probe[1]) / count
    cells = (f"{wall:7.1f} s {work:7.1f} s" for wall, work in (empty, probe, ours))
    print(f"{name:6} {count:5} |{' |'.join(cells)} | {more:6.0f} ms", flush=True)


def main() -> None:
    """Measure the engines that are here."""
    parser = argparse.ArgumentParser(prog="benchmarks.engines", description=__doc__)
    parser.add_argument("--nodes", type=int, default=256, help="names of the server of ssh")
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    asked = parser.parse_args()
    print("engine nodes | engine alone, work  | probe alone, work   | fleet check, work   | more per node")
    for name in asked.engines:
        with tempfile.TemporaryDirectory() as folder:
            row(name, asked.nodes, Path(folder))


if __name__ == "__main__":
    main()
