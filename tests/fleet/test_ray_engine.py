"""Ray as an engine, on a real cluster of four raylets: ``scripts/ray.sh`` makes its environment."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codeblue.fleet.asking import order_of
from codeblue.fleet.engines.base import Order
from codeblue.fleet.engines.ray import Ray
from codeblue.model.fleet import NodeState
from codeblue.sources.launch import Options
from codeblue.sources.target import Unusable
from tests.conftest import thorough

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("CODEBLUE_RAY_PYTHON") or str(ROOT / ".ray" / "bin" / "python")
STARTING = 120
NODES = 4

needs_ray = pytest.mark.skipif(not os.access(PYTHON, os.X_OK), reason="no Ray here: sh scripts/ray.sh")


class Raylet(NamedTuple):
    """One node of the cluster."""

    id: str
    pid: int


class Running(NamedTuple):
    """A cluster at work."""

    address: str
    raylets: list[Raylet]


@contextmanager
def started() -> Iterator[Running]:
    """A cluster of its own: ports that Ray chooses, and nothing left."""
    program = [PYTHON, str(Path(__file__).with_name("ray_cluster.py")), str(NODES)]
    child = subprocess.Popen(
        program,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    )
    assert child.stdin and child.stdout
    try:
        address = child.stdout.readline().strip()
        rows = [child.stdout.readline().split() for _ in range(NODES)]
        yield Running(address, [Raylet(name, int(pid)) for name, pid in rows])
    finally:
        child.stdin.close()
        try:
            child.wait(STARTING)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
        child.stdout.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Running]:
    """A cluster; tests that break it come last."""
    with started() as running:
        yield running


def _check(address: str, tmp_path: Path, *more: str) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "codeblue", "fleet", "check", "--ray", address, "--ray-python", PYTHON]
    done = subprocess.run(
        [*command, "--fast", "--format", "json", "--store", str(tmp_path / "store"), *more],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
    )
    return done.returncode, json.loads(done.stdout) if done.stdout else {"error": done.stderr}


@needs_ray
def test_every_node_is_asked_once(cluster: Running, tmp_path: Path) -> None:
    code, told = _check(cluster.address, tmp_path)
    assert "nodes" in told, told
    states = {node["node"]: node["state"] for node in told["nodes"]}
    assert list(states.values()) == ["answered"] * NODES
    # All raylets run on this host: the numbers of Ray tell them apart.
    assert {name.rpartition("-")[2] for name in states} == {node.id[:8] for node in cluster.raylets}
    assert len({node["host"] for node in told["nodes"]}) == 1
    assert code in (0, 1)


@thorough
@needs_ray
def test_a_task_is_not_blinded_by_ray_and_nodes_without_a_free_cpu_answer(cluster: Running) -> None:
    """Ray hides all GPUs from a task without one: the program must see what the raylet has."""
    text = 'import os\nprint("MARK1/1:" + P(os.environ.get("CUDA_VISIBLE_DEVICES", "unset")))\n'
    pack = "import base64, zlib\nP = lambda t: base64.b64encode(zlib.compress(t.encode())).decode()\n"
    busy = subprocess.Popen(
        [PYTHON, "-c", _HOLD, cluster.address], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert busy.stdout and busy.stdout.readline() == b"held\n"
        engine = Ray(cluster.address, PYTHON)
        order = Order(text=pack + text, marker="MARK", seconds=60)
        replies = list(engine.run(order, engine.nodes()))
    finally:
        busy.kill()
        busy.wait()
        if busy.stdout:
            busy.stdout.close()
    expected = os.environ.get("CUDA_VISIBLE_DEVICES", "unset").encode()
    assert [reply.document for reply in replies] == [expected] * NODES


_HOLD = f"""
import sys, time, ray
ray.init(address=sys.argv[1], logging_level="ERROR", log_to_driver=False)
@ray.remote(num_cpus=1)
class Holder:
    def here(self):
        return True
held = [Holder.remote() for _ in range({NODES})]
ray.get([one.here.remote() for one in held])
print("held", flush=True)
time.sleep(600)
"""
"""Takes every CPU of the cluster."""


def _down(engine: Ray) -> dict[str, str]:
    return {node.name.rpartition("-")[2]: node.why for node in engine.nodes() if node.state is NodeState.DOWN}


@thorough
@needs_ray
def test_a_dead_node_is_listed_as_down(cluster: Running) -> None:
    os.kill(cluster.raylets[3].pid, signal.SIGKILL)
    end = time.monotonic() + 90
    engine = Ray(cluster.address, PYTHON)
    name = cluster.raylets[3].id[:8]
    while name not in (down := _down(engine)):
        assert time.monotonic() < end
        time.sleep(2)
    assert down[name]


@thorough
@needs_ray
def test_a_node_that_hangs_and_one_that_dies_are_told_and_the_others_kept(
    cluster: Running, tmp_path: Path
) -> None:
    hangs, dies = cluster.raylets[1], cluster.raylets[2]
    engine = Ray(cluster.address, PYTHON)
    listed = [node for node in engine.nodes() if node.state is None]
    os.kill(hangs.pid, signal.SIGSTOP)
    os.kill(dies.pid, signal.SIGKILL)
    try:
        began = time.monotonic()
        order = order_of(Options(budget=30, until="plain", salt="s"), 64)
        replies = {reply.node.rpartition("-")[2]: reply for reply in engine.run(order, listed)}
    finally:
        os.kill(hangs.pid, signal.SIGCONT)
    assert len(replies) == len(listed)
    for lost in (hangs, dies):  # sooner or later Ray takes both for dead
        assert replies[lost.id[:8]].state in (NodeState.DOWN, NodeState.SILENT) and replies[lost.id[:8]].why
    answered = [reply for reply in replies.values() if reply.state is NodeState.ANSWERED]
    assert len(answered) == len(listed) - 2
    assert time.monotonic() - began < 200


def test_no_cluster_is_one_line_at_once(tmp_path: Path) -> None:
    code, told = _check("127.0.0.1:9", tmp_path, "--ray-python", sys.executable)
    assert code == 2
    assert "Ray" in told["error"] and told["error"].count("\n") == 1


def test_an_interpreter_without_ray_is_one_line() -> None:
    with pytest.raises(Unusable, match="has no ray"):
        Ray("auto", sys.executable).nodes()


def test_a_missing_interpreter_is_one_line() -> None:
    with pytest.raises(Unusable, match="no such executable"):
        Ray("auto", "/nowhere/python").nodes()
