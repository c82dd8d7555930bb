"""What Slurm says of its nodes, and how a program is started on them.

States: https://slurm.schedmd.com/sinfo.html#SECTION_NODE-STATE-CODES
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct

from codeblue.model.fleet import NodeState
from codeblue.model.node_sets import fold
from codeblue.model.text import message
from codeblue.sources.target import Unusable
from codeblue.transport.starting import started

SECONDS = 20.0
"""Patience with a controller: its own tools give up after ten seconds, some after twice that."""
FIELDS = ("%N", "%T", "%G", "%P", "%a", "%n", "%m", "%E")
"""Name, state, generic resources, partition and its state, host name, megabytes, reason."""
RECORD, FIELD = "\x1e", "\x1f"
"""Reasons are free text, with bars and line ends."""
GPUS = re.compile(r"(?:^|,)gpu(?::[^:,(]*(?=:))?(?::(\d+))?(?=[,(]|$)")
NAME = re.compile(r"[A-Za-z0-9_][\w.-]*$")
KEPT = (
    "SLURM_CONF", "SLURM_CONF_SERVER", "SLURM_CLUSTERS", "SLURM_ACCOUNT", "SLURM_QOS",
    "SLURM_RESERVATION", "SLURM_WCKEY", "SLURM_CONSTRAINT",
)  # fmt: skip
"""Variables that say where the controller is and on whose account; the others tell srun of a job that
we may be in, and would make ours a step of it."""

COMPLETING = "completing"
TAKEN = ("allocated", COMPLETING, "planned", "reserved", "perfctrs", "blocked")
FREE = ("idle", "mixed")
RESERVED = ("reserved", "maint")
"""Free for those who name the reservation, as SLURM_RESERVATION does for srun."""
FLAGS = {
    "*": "does not respond to the controller",
    "~": "powered off to save energy",
    "#": "powering up",
    "!": "about to be powered down",
    "%": "powering down",
    "@": "a reboot is pending",
    "^": "rebooting",
    "$": "reserved for maintenance",
}


class SlurmNode(Struct, frozen=True, kw_only=True):
    """A node in one partition."""

    name: str
    state: str
    """In lower case, with its flags."""
    gpus: int
    partition: str
    default: bool
    """The partition is the one that jobs go to."""
    available: str
    """``up`` if the partition starts jobs."""
    host: str
    """The name that the machine itself should have."""
    memory: int
    """Megabytes."""
    reason: str
    """Why it is down or drained, in somebody's words."""

    @property
    def idle(self) -> bool:
        """Nobody is at work there."""
        return not self.state.startswith("mixed")

    def standing(self, idle_only: bool = False) -> tuple[NodeState | None, str]:
        """Return why it is not asked, and the words for it; None if it can be."""
        flags = self.state.lstrip("abcdefghijklmnopqrstuvwxyz_")
        base = self.state[: len(self.state) - len(flags)]
        if "SLURM_RESERVATION" in os.environ and (base in RESERVED or "$" in flags):
            base, flags = "idle" if base in RESERVED else base, flags.replace("$", "")
        if self.available != "up":
            return NodeState.DOWN, f"partition {self.partition} is {self.available}"
        if base in TAKEN or (base in FREE and "-" in flags):
            return NodeState.ALLOCATED, base if base in TAKEN else "planned for another job"
        if base not in FREE or any(flag in FLAGS for flag in flags):
            return NodeState.DOWN, ": ".join(filter(None, (self._down(base, flags), self.reason)))
        if base == "mixed" and idle_only:
            return NodeState.ALLOCATED, "in part"
        return None, ""

    def _down(self, base: str, flags: str) -> str:
        said = [FLAGS[flag] for flag in flags if flag in FLAGS]
        return ", ".join(said if base in FREE else [base, *said])


class Wish(Struct, frozen=True, kw_only=True):
    """What a job asks for."""

    partition: str
    nodes: tuple[str, ...]
    name: str
    """Of the job; by it, it is cancelled."""
    gpus: int = 0
    """On each node."""
    exclusive: bool = False
    memory: int = 0
    """Megabytes on each node; 0 is all."""
    patience: int = 10
    """Seconds in which the scheduler must hand out nodes that it called free."""
    seconds: float = 60.0
    """That the job may take."""
    labelled: bool = False


def listed(partition: str | None, names: Sequence[str] = ()) -> list[SlurmNode]:
    """Return the nodes, each once: in the default partition, or in one that is up. Raises Unusable."""
    # A format of single letters: widths are unlimited, and every release since 14 writes the same.
    command = ["sinfo", "--noheader", "--Node", "--format", RECORD + FIELD.join(FIELDS)]
    command += ["--partition", partition] if partition else []
    command += ["--nodes", hostlist(names)] if names else []
    found: dict[str, SlurmNode] = {}
    for node in parsed(_asked(command)):
        known = found.get(node.name)
        if known is None or _better(node, known):
            found[node.name] = node
    return list(found.values())


def parsed(text: str) -> Iterator[SlurmNode]:
    """Yield the nodes that sinfo writes in our format; what has another form is passed over."""
    for record in text.split(RECORD)[1:]:
        fields = record.rstrip("\n").split(FIELD, len(FIELDS) - 1)
        if len(fields) < len(FIELDS) or not NAME.match(fields[0]):
            continue
        name, state, gres, partition, available, host, memory, reason = fields
        yield SlurmNode(
            name=name,
            state=state.lower(),
            gpus=gpus(gres),
            partition=partition.rstrip("*"),
            default=partition.endswith("*"),
            available=available.lower(),
            host=host,
            memory=int(re.sub(r"\D.*", "", memory) or 0),
            reason="" if reason in ("none", "(null)") else " ".join(reason.split()),
        )


def gpus(gres: str) -> int:
    """Return how many GPUs generic resources such as ``gpu:h100:8(S:0-1),shard:64`` have."""
    return sum(int(count or 1) for count in GPUS.findall(re.sub(r"\([^)]*\)", "", gres)))


def command(wish: Wish, words: Sequence[str]) -> tuple[str, ...]:
    """Return the argv that runs words once on each node, or gives up at once where they are not free."""
    size = len(wish.nodes)
    asked = [
        "--quiet", f"--job-name={wish.name}", f"--partition={wish.partition}",
        f"--nodelist={hostlist(wish.nodes)}", f"--nodes={size}", f"--ntasks={size}", "--ntasks-per-node=1",
        f"--immediate={wish.patience}", f"--time={int(wish.seconds // 60) + 2}", f"--mem={wish.memory}M",
        "--chdir=/", "--mpi=none", "--overcommit", "--no-kill", "--kill-on-bad-exit=0", "--wait=0",
    ]  # fmt: skip
    asked += [f"--gres=gpu:{wish.gpus}"] if wish.gpus else []
    asked += ["--exclusive"] if wish.exclusive else []
    asked += ["--label"] if wish.labelled else []
    return (*_outside_jobs(), "srun", *asked, "--", *words)


def hostlist(names: Sequence[str]) -> str:
    """Return names as Slurm reads them: it knows no text behind the brackets."""
    return fold(names) if all(name[-1].isdigit() for name in names) else ",".join(names)


def cancel(name: str) -> None:
    """Cancel our jobs of this name, as far as the controller answers."""
    with suppress(OSError, subprocess.TimeoutExpired):  # else the job's own time limit ends it
        _run(["scancel", "--quiet", f"--name={name}"])


def job_name() -> str:
    """Return a name that no other job has."""
    return f"codeblue-{os.urandom(6).hex()}"


def no_answer(why: str) -> Unusable:
    """Return what to say where the tools of Slurm cannot be used."""
    return Unusable(
        message(
            "Slurm does not answer: {why}; see that sinfo works here",
            "Slurm 没有响应：{why}；请确认 sinfo 在这里可用",
            why=why,
        )
    )


def _better(node: SlurmNode, known: SlurmNode) -> bool:
    up, was = node.available == "up", known.available == "up"
    return (up and not was) or (up == was and node.default and not known.default)


def _outside_jobs() -> tuple[str, ...]:
    ours = [name for name in os.environ if name.startswith("SLURM_") and name not in KEPT]
    return ("env", *(part for name in ours for part in ("-u", name))) if ours else ()


def _asked(command: Sequence[str]) -> str:
    for program in ("sinfo", "srun", "scancel"):
        if shutil.which(program) is None:
            raise Unusable(
                message(
                    "{program} is not installed here; run this on a login node of the cluster",
                    "这里没有安装 {program}；请在集群的登录节点上运行",
                    program=program,
                )
            )
    try:
        code, out, words = _run(command)
    except subprocess.TimeoutExpired:
        raise no_answer(f"no answer within {SECONDS:g} s") from None
    if code != 0:
        lines = [line.strip() for line in words.splitlines() if line.strip()]
        raise no_answer(lines[-1] if lines else f"sinfo ended with {code}")
    return out


def _run(command: Sequence[str]) -> tuple[int, str, str]:
    child = started(list(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, words = child.communicate(timeout=SECONDS)
    except BaseException:
        child.kill()
        raise
    return child.returncode, out.decode("utf-8", "replace"), words.decode("utf-8", "replace")
