"""A node that Slurm drains: told from its real words, repaired by the runbook or by verbs, taken back."""

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from codeblue.faults import index
from codeblue.model.remedy import Verb
from tests.fix.verbs.booted import Booted, unbootable

MISSING = [name for name in ("slurmctld", "slurmd", "munged", "scontrol", "ip") if not shutil.which(name)]
pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(bool(unbootable()), reason=unbootable() or ""),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

ADDRESS = "192.0.2.1"
"""For documentation (RFC 5737). Names are only looked up where there is an address beside 127.0.0.1."""
FILE, GRES = "/etc/slurm/slurm.conf", "/etc/slurm/gres.conf"
SETTINGS = f"""ClusterName=test
SlurmctldHost=node1({ADDRESS})
SlurmUser=root
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
GresTypes=gpu
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldLogFile=/var/log/slurmctld.log
SlurmdLogFile=/var/log/slurmd.log
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
"""
NODE = f"NodeName=node1 NodeAddr={ADDRESS} CPUs=1 "
TOO_MUCH = "RealMemory=99999999"
PARTITION = "\nPartitionName=all Nodes=ALL Default=YES State=UP\n"
WAIT = 'for i in $(seq 100); do case "$(sinfo -h -o %T)" in {state}) exit 0;; esac; sleep 0.1; done; exit 1'
Wish = tuple[Verb, dict[str, str]]


class Cluster(Booted):
    """Controller and node of a cluster, as services of one machine."""

    def begin(self, node: str, gres: str = "") -> None:
        """Start the cluster with this line for its node."""
        self.done("sh", "-ec", f"hostname node1; ip address add {ADDRESS}/32 dev lo; ip link set lo up")
        self.write(FILE, SETTINGS + node + PARTITION, 0o644)
        self.write(GRES, gres, 0o644)
        self.done("sh", "-c", "mkdir -p /var/log/munge; chown munge: /var/log/munge")
        self.done("systemctl", "start", "munge", "slurmctld", "slurmd")

    def becomes(self, state: str) -> None:
        """Wait until the node is in this state; ``sinfo`` says what it is if it is not."""
        ran = self.run(["sh", "-c", WAIT.format(state=state)])
        assert ran.returncode == 0, self.run(["sh", "-c", "sinfo; scontrol show node; tail /var/log/slurm*"])

    def cause(self, words: str) -> list[str]:
        """Return what ``triage`` names as the causes of these words."""
        self.write("/run/words", words)
        ran = self.run([sys.executable, "-m", "codeblue", "triage", "/run/words", "--format", "json"])
        return [one["fault"] for one in json.loads(ran.stdout)["causes"]]

    def carry_out(self, wishes: Sequence[Wish]) -> None:
        """Have the executor carry wishes out as one item of a plan."""
        argv = [sys.executable, "-m", "tests.fix.verbs.planned", "apply", "/var/lib/test"]
        ran = self.run(argv, json.dumps(wishes))
        assert ran.returncode == 0, ran.stderr

    def undo(self) -> str:
        """Have it take them back; return what became of each step."""
        return self.done(sys.executable, "-m", "tests.fix.verbs.planned", "undo", "/var/lib/test")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """The machine, before Slurm starts."""
    machine = Cluster(tmp_path)
    machine.environment |= {"XDG_STATE_HOME": "/var/lib/test", "LC_ALL": "C.UTF-8"}
    yield machine
    machine.end()


def memory(cluster: Cluster) -> int:
    """Return how many megabytes the node daemon finds, less the margin that the page asks for."""
    words = cluster.done("slurmd", "-C").split()
    return int(next(word for word in words if word.startswith("RealMemory=")).partition("=")[2]) * 99 // 100


def line(node: str) -> Wish:
    """Return the wish for another line of the node in slurm.conf."""
    return Verb.FILE_EDIT, {"path": FILE, "kind": "lines", "at": "NodeName=node1", "value": json.dumps(node)}


def test_the_commands_of_the_runbook_bring_a_drained_node_back(cluster: Cluster) -> None:
    cluster.begin(NODE + TOO_MUCH)
    cluster.becomes("inval")
    fault = "slurm-node-memory-overstated"
    assert cluster.cause(cluster.done("scontrol", "show", "node")) == [fault]
    assert cluster.cause(cluster.done("cat", "/var/log/slurmctld.log")) == [fault]
    remedy = index.entries()[fault].remedy
    assert remedy is not None

    for step in remedy.steps:
        command = step.why.say("en").partition(": ")[2].replace("sudo ", "").replace("NODE", "node1")
        cluster.done("sh", "-ec", command.replace("MEMORY", str(memory(cluster))))

    cluster.becomes("idle")
    assert cluster.done("srun", "hostname") == "node1\n"


def test_an_edit_and_a_reload_and_back(cluster: Cluster) -> None:
    cluster.begin(NODE + TOO_MUCH)
    cluster.becomes("inval")
    old = cluster.done("cat", FILE)

    cluster.carry_out(
        [line(f"{NODE}RealMemory={memory(cluster)}"), (Verb.SERVICE_RELOAD, {"service": "slurmctld"})]
    )
    cluster.done("scontrol", "update", "nodename=node1", "state=resume")
    cluster.becomes("idle")

    assert "file-edit: taken back" in cluster.undo()
    assert cluster.done("cat", FILE) == old
    cluster.done("systemctl", "reload", "slurmctld")
    cluster.becomes("inval")


def test_a_gpu_that_the_node_does_not_have(cluster: Cluster) -> None:
    gres = "NodeName=node1 Name=gpu File=/dev/nvidia77\n"
    cluster.begin(NODE + "Gres=gpu:1", gres)
    cluster.done("sh", "-c", "until systemctl is-failed -q slurmd; do sleep 0.1; done")
    assert cluster.cause(cluster.done("cat", "/var/log/slurmd.log")) == ["slurm-gres-conf-wrong"]
    old = cluster.done("cat", FILE)

    cluster.carry_out(
        [
            (Verb.FILE_EDIT, {"path": GRES, "kind": "lines", "at": "NodeName=node1"}),
            line(NODE.strip()),
            (Verb.SERVICE_RESTART, {"service": "slurmctld"}),
            (Verb.SERVICE_START, {"service": "slurmd"}),
        ]
    )
    cluster.becomes("idle")
    assert cluster.done("srun", "hostname") == "node1\n"

    said = cluster.undo()
    assert said.count("taken back") == 3 and "service-restart: this verb has no way back" in said
    assert (cluster.done("cat", FILE), cluster.done("cat", GRES)) == (old, gres)
    assert cluster.state("slurmd") != "active"
    cluster.done("sh", "-c", ": > /var/log/slurmd.log; systemctl start slurmd")
    cluster.done("sh", "-c", "until grep -q 'for gres.conf file' /var/log/slurmd.log; do sleep 0.1; done")
