"""Slurm itself as the engine: four nodes, one of them at work, drained, hanging or out of reach."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import thorough
from tests.fleet.cluster import NODES, Cluster, lacking
from tests.fleet.private import interpreter, states, until, whys, words

pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(lacking()), reason=lacking() or "")]
LIGHT = ("--slurm", "--without-gpu", "--fast", "--format", "json")
"""Reads files only: it is the engine that is looked at here."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for all tests."""
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    yield cluster
    cluster.end()


@pytest.fixture
def cluster(whole: Cluster) -> Iterator[Cluster]:
    """The cluster with all nodes idle, before and after."""
    whole.idle(*NODES)
    yield whole
    whole.done("scancel", "--user=root")
    whole.idle(*NODES)


def checked(cluster: Cluster, *arguments: str) -> dict[str, Any]:
    """Return the report of ``fleet check``."""
    ran = cluster.codeblue("fleet", "check", *arguments)
    assert ran.stdout, ran.stderr
    return dict(json.loads(ran.stdout))


def test_free_nodes_answer_and_the_others_are_named_with_the_reason(cluster: Cluster) -> None:
    cluster.hold("hold", "--nodelist=node1", "--exclusive")
    cluster.done("scontrol", "update", "nodename=node2", "state=drain", "reason=fan | 2:\nbroken")

    document = checked(cluster, *LIGHT)

    assert states(document) == {
        "node1": "allocated",
        "node2": "down",
        "node3": "answered",
        "node4": "answered",
    }
    assert whys(document)["node2"] == "drained: fan | 2: broken"
    assert cluster.queue() == ["hold"]

    cluster.cancel("hold")
    later = states(checked(cluster, *LIGHT, "--resume", "last"))
    assert (later["node1"], later["node2"]) == ("answered", "down")


def test_gpus_are_asked_for_where_they_are_free_and_left_alone_where_they_are_not(cluster: Cluster) -> None:
    cluster.hold("hold", "--nodelist=node1", "--gres=gpu:1")

    document = checked(cluster, "--slurm", "-p", "small", "--fast", "--budget", "15", "--format", "json")

    read = {node["node"]: node["without_gpu"] for node in document["nodes"]}
    assert read == {"node1": True, "node2": False}
    assert set(states(document).values()) == {"answered"}
    assert "trouble" not in {node["verdict"] for node in document["nodes"] if node["without_gpu"]}

    idle = checked(cluster, "--slurm-nodes", "node[1,9]", "--idle-only", *LIGHT)
    assert states(idle) == {"node1": "allocated", "node9": "refused"}


@thorough
def test_a_node_that_cannot_be_reached_costs_the_others_nothing(cluster: Cluster) -> None:
    cluster.stop("node3")

    document = checked(cluster, *LIGHT)

    assert states(document) == {
        "node1": "answered",
        "node2": "answered",
        "node3": "silent",
        "node4": "answered",
    }
    assert "failed on node node3" in whys(document)["node3"]


@thorough
def test_half_of_the_nodes_hang_and_old_or_missing_pythons_are_told(cluster: Cluster, tmp_path: Path) -> None:
    half = interpreter(tmp_path / "python", '[ "$SLURMD_NODENAME" = node2 -o "$SLURMD_NODENAME" = node4 ]')

    document = checked(cluster, *LIGHT, "--budget", "1", "--python", str(half))

    assert states(document) == {
        "node1": "answered",
        "node2": "silent",
        "node3": "answered",
        "node4": "silent",
    }
    assert whys(document)["node2"].startswith("no answer within")
    until(lambda: not cluster.queue())

    none = checked(cluster, *LIGHT, "--python", "/nowhere/python")
    assert set(states(none).values()) == {"refused"}
    assert set(whys(none).values()) == {"no Python 3.6 or later here (tried /nowhere/python)"}


@thorough
def test_an_interrupted_check_leaves_no_job_and_goes_on_later(cluster: Cluster, tmp_path: Path) -> None:
    hangs = interpreter(tmp_path / "python", '[ "$SLURMD_NODENAME" = node4 ]')
    check = cluster.begun("fleet", "check", *LIGHT, "--python", str(hangs))
    until(cluster.queue)
    check.send_signal(signal.SIGINT)

    check.communicate(timeout=60)
    assert check.returncode == 130
    until(lambda: not cluster.queue())
    document = checked(cluster, *LIGHT, "--resume", "last")
    assert set(states(document).values()) == {"answered"}


@thorough
def test_killed_in_the_middle_what_was_answered_is_kept(cluster: Cluster, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    hangs = interpreter(tmp_path / "python", f'[ "$SLURMD_NODENAME" = node4 ] && touch {begun}')
    check = cluster.begun("fleet", "check", *LIGHT, "--python", str(hangs))
    until(begun.exists)
    [name] = cluster.queue()
    cluster.done("scancel", f"--name={name}")

    document = json.loads(check.communicate(timeout=60)[0])

    assert check.returncode == 3
    assert states(document)["node4"] == "silent"
    assert whys(document)["node4"] == "the job was cancelled"


def test_one_node_as_a_target(cluster: Cluster) -> None:
    cluster.hold("hold", "--nodelist=node1", "--exclusive")
    cluster.done("scontrol", "update", "nodename=node2", "state=drain", "reason=fan")

    taken, drained, none = (cluster.codeblue("check", f"slurm:node{n}") for n in (1, 2, 9))
    assert words(taken) == [
        "codeblue: slurm:node1: not looked at: allocated; jobs are at work there, and ours would queue"
    ]
    assert words(drained) == [
        "codeblue: slurm:node2: Slurm starts nothing there: drained: fan; try ssh:node2"
    ]
    assert words(none) == ["codeblue: slurm:node9: Slurm knows no such node; sinfo -N lists them"]
    assert {taken.returncode, drained.returncode, none.returncode} == {2}

    ran = cluster.codeblue("check", "slurm:node3", "--fast", "--format", "json")
    assert json.loads(ran.stdout)["target"] == "slurm:node3", ran.stderr
    assert cluster.queue() == ["hold"]


def test_what_cannot_be_used_is_one_line(cluster: Cluster) -> None:
    for arguments in (("-p", "nowhere"), ("--slurm-nodes", "node[1-"), ("--slurm-nodes", "-x")):
        ran = cluster.codeblue("fleet", "check", "--slurm", *arguments)
        assert (ran.returncode, len(words(ran))) == (2, 1), ran.stderr

    closed = checked(cluster, "-p", "closed", *LIGHT)
    assert whys(closed) == {"node4": "partition closed is down"}

    cluster.stop("slurmctld")
    ran = cluster.codeblue("fleet", "check", "--slurm")
    cluster.go_on("slurmctld")
    assert ran.returncode == 2
    assert words(ran)[0].startswith("codeblue: Slurm does not answer: ")


def test_as_prolog_it_keeps_a_broken_node_from_its_job(cluster: Cluster, tmp_path: Path) -> None:
    wanted = tmp_path / "codeblue.toml"
    prolog = tmp_path / "prolog"
    environment = " ".join(
        f"{name}='{cluster.environment[name]}'" for name in ("XDG_STATE_HOME", "PYTHONPATH")
    )
    gate = (
        f"env {environment} {interpreter_of_tests()} -m codeblue fleet gate --slurm-prolog --config {wanted}"
    )
    prolog.write_text(
        f"#!/bin/sh\n{gate} --seconds 30 2>{tmp_path}/said.$SLURMD_NODENAME\n", encoding="utf-8"
    )
    prolog.chmod(0o755)
    # At the start of a step it would have to end within MessageTimeout, ten seconds as a rule.
    cluster.settings(f"Prolog={prolog}\nPrologFlags=Alloc")
    cluster.done("scontrol", "reconfigure")

    wanted.write_text("", encoding="utf-8")
    assert cluster.done("srun", "--nodelist=node1", "echo", "started") == "started\n"
    wanted.write_text("[expect]\ngpus = 99\n", encoding="utf-8")
    ran = cluster.run("srun", "--nodelist=node2", "echo", "started")

    assert "started" not in ran.stdout
    until(lambda: cluster.state("node2").startswith("drain"))
    said = (tmp_path / "said.node2").read_text(encoding="utf-8")
    assert "refuse: 0 GPU(s) here, the site expects 99" in said and said.count("\n") == 1
    cluster.settings("")
    cluster.done("scontrol", "reconfigure")


def interpreter_of_tests() -> str:
    """Return the path of our Python: a prolog has no PATH."""
    import sys

    return sys.executable
