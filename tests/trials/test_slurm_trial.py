"""Collectives that Slurm's srun starts, in a private cluster of two nodes on this machine."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import thorough
from tests.fix.verbs.booted import Booted, unbootable
from tests.trials.running import changed_torch, needs_torch, torch_python

MISSING = [name for name in ("slurmctld", "slurmd", "munged", "srun", "ip") if not shutil.which(name)]
pytestmark = [
    needs_torch,
    pytest.mark.root,
    pytest.mark.skipif(bool(unbootable()), reason=unbootable() or ""),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

ADDRESS = "192.0.2.1"
"""For documentation (RFC 5737)."""
SETTINGS = f"""ClusterName=test
SlurmctldHost=head({ADDRESS})
SlurmUser=root
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldLogFile=/var/log/slurmctld.log
SlurmdLogFile=/var/log/slurmd.%n.log
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.%n.pid
NodeName=node1 NodeHostname=head NodeAddr={ADDRESS} Port=17001 CPUs=1
NodeName=node2 NodeHostname=head NodeAddr={ADDRESS} Port=17002 CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
"""
LATE = """
import os, time
dist = module.distributed
real = dist.all_reduce
def all_reduce(*arguments, **named):
    if os.environ.get("SLURMD_NODENAME") == "node2":
        time.sleep(0.5)
    return real(*arguments, **named)
dist.all_reduce = all_reduce
"""
"""One node hands in each all_reduce late."""
IDLE = 'for i in $(seq 100); do [ "$(sinfo -h -o %D%T)" = 2idle ] && exit 0; sleep 0.1; done; sinfo; exit 1'


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Booted]:
    """Two node daemons of one machine, which Slurm takes for two hosts."""
    machine = Booted(tmp_path_factory.mktemp("cluster"))
    machine.environment |= {"XDG_STATE_HOME": "/var/lib/test", "LC_ALL": "C.UTF-8"}
    machine.done("sh", "-ec", f"hostname head; ip link set lo up; ip address add {ADDRESS}/32 dev lo")
    machine.done("sh", "-ec", "mkdir -p /dev/shm; mount -t tmpfs -o size=1g none /dev/shm")
    machine.write("/etc/hosts", f"127.0.0.1 localhost\n{ADDRESS} head node1 node2\n")
    machine.write("/etc/slurm/slurm.conf", SETTINGS, 0o644)
    machine.done("sh", "-c", "mkdir -p /var/log/munge /var/lib/slurm; chown munge: /var/log/munge")
    machine.done("systemctl", "start", "munge", "slurmctld")
    machine.done("sh", "-ec", "slurmd -N node1; slurmd -N node2; " + IDLE)
    yield machine
    machine.end()


def tried(cluster: Booted, launch: str, *options: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Return exit code, report, and the section of the trial."""
    python = torch_python()
    argv = [sys.executable, "-m", "codeblue", "trial", "nccl", "--on", f"python:{python}", "--launch", launch]
    facts = "/run/facts.json"
    ran = cluster.run([*argv, "--format", "json", "--snapshot", facts, *options])
    assert ran.stdout, ran.stderr
    view = next(v for v in json.loads(cluster.done("cat", facts))["views"] if v["kind"] == "probe")
    return ran.returncode, json.loads(ran.stdout), view["nccl_trial"]


def test_two_nodes(cluster: Booted) -> None:
    code, report, trial = tried(cluster, "srun -N2 --ntasks-per-node=1")

    assert (code, trial["launcher"]) == (0, "srun")
    rows = trial["devices"]
    assert {rank: row["world"] for rank, row in rows.items()} == {"0": 2, "1": 2}
    assert len({row["host"] for row in rows.values()}) == 2
    assert all(row["error"] is None and len(row["collectives"]) == 5 for row in rows.values())
    assert {one["key"] for one in report["measures"]} >= {"all_reduce-busbw", "broadcast-latency"}


@thorough
def test_labels_of_srun_in_front_of_lines(cluster: Booted) -> None:
    code, _, trial = tried(cluster, "srun --label -N2 -n2")

    assert code == 0
    assert [row["error"] for row in trial["devices"].values()] == [None, None]


@thorough
def test_a_node_that_is_late_is_named(cluster: Booted, tmp_path: Path) -> None:
    changed_torch(tmp_path, LATE)
    _, report, trial = tried(cluster, f"env PYTHONPATH={tmp_path} srun -N2 -n2")

    [cause] = report["causes"]
    assert (cause["fault"], cause["subject"]) == ("straggler-rank", "rank:1")
    assert trial["devices"]["1"]["host"] in json.dumps(cause)


@thorough
def test_more_nodes_than_there_are(cluster: Booted) -> None:
    code, report, _ = tried(cluster, "srun -N3 --immediate=2")

    assert code == 3
    assert "no rank answered; srun: " in report["not_tried"]["nccl"]
