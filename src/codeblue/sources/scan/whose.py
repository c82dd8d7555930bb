"""Whose words a line or a file is: the rank, the host, and the label that tells streams apart."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from codeblue.sources.logs import NCCL_HOST, RANK

LABEL = re.compile(
    r"(?P<text>"
    r"\[rank(?P<rank>\d+)\]:"
    r"|\[[Rr]ank (?P<word>\d+)\]"
    r"|\[\d+,(?P<mpi>\d+)\]<std(?:out|err|diag)>:?"
    r"|\[[a-z]+(?P<role>\d+)\]:"  # torchrun --tee: role and local rank
    r"|\[(?P<bare>\d{1,5})\]:"
    r"|\((?:\w+ )?rank=(?P<named>\d+)(?: [^()]*)?\)"
    r"|\[pod/[^\]/ ]+/[^\] ]+\]"
    r"|[A-Za-z][\w.-]* +\|"  # compose
    r"|(?P<padding> *)(?P<srun>\d{1,5}): "
    r")"
)
"""What launchers put in front of every line of a process."""

RANKED = ("rank", "word", "mpi", "role", "bare", "named", "srun")

TORCHRUN = re.compile(r"(?:^|/)attempt_\d+/(\d+)/(?:stdout|stderr)\.log(?:\.|$)")
IN_NAME = re.compile(
    r"(?:^|[^a-z])(?:global[-_.]?)?rank[-_.]?(\d+)(?=[^\d]|$)|(?:^|[^a-z])(?:task[-_.]?|t)(\d+)\.(?:out|err|log)"
)
LOCAL = re.compile(r"local[-_.]?rank", re.IGNORECASE)
POD = re.compile(
    r"^(?P<job>.*?)(?P<role>worker|master|launcher|chief|ps)[-_.]?(?P<number>\d+)(?:\.(?:log|out|err|txt)\b.*)?$"
)
SLURM_HOST = re.compile(r"^slurm-\d+(?:[-_.]\d+)?[-_.](?P<host>[A-Za-z][\w-]*\d)\.(?:out|err|log)$")


class Whose(NamedTuple):
    """Who wrote a line or a file, as far as it says."""

    rank: int | None = None
    host: str | None = None


NOBODY = Whose()


def of_line(line: str, numbered: bool = False) -> Whose:
    """Return whose line it is. ``numbered`` says that bare numbers in front of lines are ranks here."""
    found = RANK.search(line)
    host = NCCL_HOST.match(line) if "NCCL " in line else None
    named = host.group(1) if host else None
    if found:
        return Whose(int(found.group(1) or found.group(2)), named)
    label = LABEL.match(line)
    if label and (numbered or not (label["srun"] or label["bare"])):
        rank = next((label[kind] for kind in RANKED if label[kind]), None)
        return Whose(int(rank) if rank else None, named)
    return Whose(None, named)


def of_files(paths: Sequence[str]) -> dict[str, Whose]:
    """Return whose files they are by their names, where those say it beyond doubt."""
    pods = _pods(paths)
    found = {path: _of_name(path) or pods.get(path, NOBODY) for path in paths}
    # A number that several launches of one kind share counts processes within their hosts.
    local: dict[tuple[int, str], set[str]] = {}
    for path in paths:
        if launch := TORCHRUN.search(path):
            local.setdefault((int(launch.group(1)), launch.group(0)), set()).add(path[: launch.start()])
    several = any(len(launches) > 1 for launches in local.values())
    if several:
        return {p: NOBODY if TORCHRUN.search(p) else whose for p, whose in found.items()}
    return found


def _of_name(path: str) -> Whose | None:
    launch = TORCHRUN.search(path)
    if launch:
        return Whose(int(launch.group(1)))
    name = path.rpartition("/")[2]
    if host := SLURM_HOST.match(name):
        return Whose(None, host["host"])
    ranked = IN_NAME.search(name)
    if ranked and not LOCAL.search(name):
        return Whose(int(ranked.group(1) or ranked.group(2)))
    return None


def _pods(paths: Iterable[str]) -> dict[str, Whose]:
    """Return the ranks of pods: workers count from 0, or from 1 after a master.

    Beside a launcher or a parameter server the number of a worker is no rank.
    """
    jobs: dict[str, list[tuple[str, int, str]]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if pod := POD.match(name):
            jobs.setdefault(f"{folder}/{pod['job']}", []).append((pod["role"], int(pod["number"]), path))
    found = {}
    for members in jobs.values():
        roles = {role for role, _, _ in members}
        after = 1 if roles & {"master", "chief"} else 0
        ranks = {path: number + (after if role == "worker" else 0) for role, number, path in members}
        whole = sorted(ranks.values()) == list(range(len(ranks)))
        if whole and not roles & {"launcher", "ps"}:
            found.update({path: Whose(rank) for path, rank in ranks.items()})
    return found


def numbered(lines: Iterable[str]) -> bool:
    """Tell whether bare numbers in front of these lines are ranks: the same few, over and over.

    Numbers that only grow count lines.
    """
    numbers = []
    others = 0
    for line in lines:
        label = LABEL.match(line)
        if label and (label["srun"] or label["bare"]):
            numbers.append(int(label["srun"] or label["bare"]))
        elif line.strip():
            others += 1
    growing = all(a < b for a, b in pairwise(numbers))
    return len(set(numbers)) > 1 and not growing and others * 10 <= len(numbers)
