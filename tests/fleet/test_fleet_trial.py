"""Collectives over several nodes, for real with gloo: a slow one is found by runs over fewer."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from codeblue.cli.fleet import trying
from codeblue.fleet.behind import peers
from codeblue.fleet.store import Store
from codeblue.model.facts import Nvml
from codeblue.model.measure import Better, Measure
from codeblue.model.text import message
from tests.conftest import thorough
from tests.fleet import ranks
from tests.fleet.kept import keep
from tests.test_cli import Run
from tests.trials.running import changed_torch, needs_torch, torch_python

LATE = """
import os, time
dist = module.distributed
real = dist.all_reduce
def all_reduce(*arguments, **named):
    if os.environ.get("NODE_OF_RANK") == "gpu2":
        time.sleep(0.1)
    return real(*arguments, **named)
dist.all_reduce = all_reduce
"""
LAUNCH = shlex.join([sys.executable, str(Path(ranks.__file__))]) + " {nodes}"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


@thorough
@needs_torch
def test_a_slow_node_is_found(run: Run, tmp_path: Path) -> None:
    changed = [f"{name}={value}" for name, value in changed_torch(tmp_path, LATE).items()]
    launch = shlex.join(["env", *changed]) + f" {LAUNCH}"
    python = torch_python() or ""
    argv = ("fleet", "trial", "nccl", "--ssh", "gpu[1-3]", "--launch", launch, "--floor", "0.01")
    done = subprocess.run(
        [sys.executable, "-m", "codeblue", *argv, "--torch-python", python, "--small", "--format", "json"],
        env=run.environment,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 1, done.stderr

    told = json.loads(done.stdout)["collective"]
    assert told["found"]["nodes"] == ["gpu2"], told
    assert told["found"]["links"] == []
    assert len(told["runs"]) <= 5


def test_words_that_make_no_sense(run: Run) -> None:
    argv = ("fleet", "trial", "nccl", "--ssh", "gpu[1-3]")
    run.refused(*argv, "--launch", "true", says="{nodes} or {folded}")
    run.refused(*argv, "-N", "2", says="say what starts the ranks")
    run.refused(*argv, "-N", "9", "--launch", "true {nodes}", says="3 nodes are free, and 9 are wanted")
    run.refused("fleet", "trial", "gpu", "--ssh", "gpu1", "-N", "2", says="go with nccl")


def measure(value: float, better: Better = Better.HIGHER) -> Measure:
    """Return one number of a GPU."""
    name = message("copy", "复制")
    return Measure(
        trial="memory", subject="gpu:0", key="copy", name=name, value=value, unit="GB/s", better=better
    )


def test_who_is_behind_the_others() -> None:
    values = {"a": 1000.0, "b": 1003.0, "c": 998.0, "d": 1001.0, "e": 700.0}
    [row] = peers({node: [measure(value)] for node, value in values.items()})
    assert (row.median, row.worst, [one.node for one in row.behind]) == (1000.0, 700.0, ["e"])
    [row] = peers({node: [measure(value, Better.LOWER)] for node, value in values.items()})
    assert row.behind == (), "less is better here"


def test_few_or_nearly_equal_numbers_blame_nobody() -> None:
    few = {"a": 1000.0, "b": 1000.0, "c": 100.0}
    [row] = peers({node: [measure(value)] for node, value in few.items()})
    assert row.behind == ()
    near = {"a": 1000.0, "b": 1000.0, "c": 1000.0, "d": 1000.0, "e": 950.0}
    [row] = peers({node: [measure(value)] for node, value in near.items()})
    assert row.behind == ()


def test_what_is_a_nodes_own_is_there_for_measures(tmp_path: Path) -> None:
    store = Store(tmp_path)
    run = keep(store, 2)

    first, second = (view.section(Nvml).gpus["0"] for view in trying._views(store, run))

    assert (first.temperature, second.temperature) == (35, 36)
