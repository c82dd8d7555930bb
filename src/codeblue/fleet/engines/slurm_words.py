"""What the end of a step says of a node that has not answered."""

import re
from collections.abc import Sequence

from codeblue.model.fleet import NodeState
from codeblue.model.node_sets import BadPattern, expand
from codeblue.transport.fanout import Ended

LOST = (
    re.compile(r"ask launch for \S+ failed on node (\S+): "),
    re.compile(r"[Nn]ode failure on (\S+)"),
    re.compile(r"Nodes? (\S+) (?:are|is) still not ready"),
)
"""How srun names a node that cost the step: it ends the tasks of all others too."""
TASK = re.compile(r"srun: error: (\S+): tasks? \S+: (.+)")
"""How it tells what became of tasks."""
BUSY = re.compile(r"Requested nodes are busy|Required node not available|nodes? .*(?:DOWN|DRAINED)")
REFUSED = re.compile(r"Unable to allocate resources: (.+)")
CANCELLED = re.compile(r"CANCELLED AT|Force Terminated|forcing job termination|job \d+ .*cancelled")
NOISE = re.compile(r"^srun: (?:Job step aborted|Force Terminated)")

Verdict = tuple[NodeState, str]


def verdict(ended: Ended, node: str, *, begun: bool, others: bool, alone: bool) -> Verdict | None:
    """Return what became of a node without an answer, None if it should be asked once more.

    ``begun`` says whether its task was started, ``others`` whether that of any node was, ``alone`` whether
    the step had no other node.
    """
    lost = _lost(ended.complaints)
    if node in lost:
        return NodeState.SILENT, lost[node]
    if not lost and (found := _by_itself(ended, node, begun or others or alone)):
        return found
    if any(BUSY.search(line) for line in ended.complaints):
        return (NodeState.ALLOCATED, "taken by another job meanwhile") if alone else None
    return (NodeState.REFUSED, last_words(ended)) if alone else None


def last_words(ended: Ended) -> str:
    """Return srun's reason, or how it ended."""
    for line in reversed(ended.complaints):
        if found := REFUSED.search(line):
            return found.group(1)
        if not NOISE.search(line):
            return line.removeprefix("srun: ").removeprefix("error: ")
    return f"srun ended with status {ended.code} without an answer"


def _by_itself(ended: Ended, node: str, started: bool) -> Verdict | None:
    """Judge a step that no lost node has ended."""
    if ended.code is None:
        return (NodeState.SILENT, f"no answer within {ended.seconds:.0f} s") if started else None
    if ended.code < 0:
        return NodeState.SILENT, f"srun was ended by signal {-ended.code}"
    if any(CANCELLED.search(line) for line in ended.complaints):
        return NodeState.SILENT, "the job was cancelled"
    if words := _own(ended.complaints, node):
        return NodeState.REFUSED, words
    return (NodeState.REFUSED, "ended without an answer") if ended.code == 0 else None


def _lost(complaints: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in complaints:
        for pattern in LOST:
            if told := pattern.search(line):
                words = line.removeprefix("srun: ").removeprefix("error: ")
                found.update((name, words) for name in _names(told.group(1)))
    return found


def _own(complaints: Sequence[str], node: str) -> str:
    """Return the last words of the node's own task, else what srun says of its end."""
    words = ""
    for line in complaints:
        if line.startswith(f"{node}: "):
            words = line.partition(": ")[2] or words
        elif (told := TASK.match(line)) and not words and node in _names(told.group(1)):
            words = told.group(2)
    return words


def _names(text: str) -> list[str]:
    try:
        return expand(text.rstrip(":,."))
    except BadPattern:
        return []
