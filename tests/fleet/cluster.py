"""A Slurm cluster of four nodes on this machine, with a munge of its own."""

import os
import secrets
import shutil
import socket
from pathlib import Path

from tests.fleet.private import Daemons, free_ports, until

PROGRAMS = ("slurmctld", "slurmd", "munged", "srun", "sinfo", "scontrol")
NODES = tuple(f"node{number}" for number in range(1, 5))
SETTINGS = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
StateSaveLocation={folder}/controller
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MessageTimeout=3
GresTypes=gpu
NodeName=node[1-4] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ranges}] CPUs=2 Gres=gpu:1
PartitionName=gpu Nodes=node[1-4] Default=YES State=UP
PartitionName=small Nodes=node[1-2] State=UP
PartitionName=closed Nodes=node4 State=DOWN
{more}
"""


def lacking() -> str | None:
    """Return why there can be no cluster here."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    return None if os.geteuid() == 0 else "needs root: slurmd starts jobs as their users"


class Cluster(Daemons):
    """Controller, munge and nodes."""

    def __init__(self, folder: Path, more: str = "") -> None:
        super().__init__(folder, {"SLURM_CONF": str(folder / "slurm.conf")})
        self.ports = sorted(free_ports(5))
        self.settings(more)
        (folder / "gres.conf").write_text("NodeName=node[1-4] Name=gpu File=/dev/null\n", encoding="utf-8")
        key = folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        socket_ = folder / "munge.socket"
        names = ("pid", "log", "seed")
        files = [f"--{name}-file={folder}/munge.{name}" for name in names]
        self.start("munged", "munged", "-F", "--force", f"--key-file={key}", f"--socket={socket_}", *files)
        until(socket_.exists)
        self.start("slurmctld", "slurmctld", "-D")
        for node in NODES:
            self.start(node, "slurmd", "-D", "-N", node)
        self.idle(*NODES)

    def settings(self, more: str) -> None:
        """Write the configuration with some lines more."""
        text = SETTINGS.format(
            host=socket.gethostname().partition(".")[0],
            folder=self.folder,
            ports=self.ports,
            ranges=",".join(map(str, self.ports[1:])),
            more=more,
        )
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")

    def state(self, node: str) -> str:
        """Return what Slurm says of a node."""
        return self.run("sinfo", "-h", "-N", "-p", "gpu", "-n", node, "-o", "%T").stdout.strip()

    def idle(self, *nodes: str) -> None:
        """Bring nodes back, and wait until they are idle."""
        for node in nodes:
            self.go_on(node)
            if self.state(node).startswith(("down", "drain")):
                self.run("scontrol", "update", f"nodename={node}", "state=resume")
        # For up to a minute after the last job sinfo goes on to call a node mixed.
        free = ("idle", "mixed")
        until(
            lambda: not self.queue() and all(self.state(node) in free for node in nodes),
            told=lambda: self.done("sinfo", "-N", "-l"),
        )

    def queue(self) -> list[str]:
        """Return the names of all jobs."""
        return self.done("squeue", "-h", "-o", "%j").split()

    def hold(self, name: str, *options: str) -> None:
        """Have a job sleep, and wait until it runs."""
        self.start(name, "srun", f"--job-name={name}", *options, "sleep", "600")
        until(lambda: self.done("squeue", "-h", "-o", "%T", f"--name={name}").strip() == "RUNNING")

    def cancel(self, name: str) -> None:
        """End such a job."""
        self.done("scancel", f"--name={name}")
        until(lambda: name not in self.queue())
