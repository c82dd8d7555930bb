"""Slurm as a user finds it: free nodes are asked by one step, all others are left alone and named."""

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing

from codeblue.fleet.engines.base import Order
from codeblue.fleet.engines.slurm_words import last_words, verdict
from codeblue.model.fleet import Listed, NodeState, Reply
from codeblue.model.node_sets import BadPattern, expand
from codeblue.model.text import Message, message
from codeblue.sources import slurm
from codeblue.sources.slurm import SlurmNode, Wish
from codeblue.sources.target import Unusable
from codeblue.transport.fanout import Ended, Job, Told, told_by_many
from codeblue.transport.local import INTERPRETER_FLAGS
from codeblue.transport.remote import WITHOUT_GPU, interpreter

ROUNDS = 8
"""Times that nodes are asked which gave no answer through the fault of others."""
PARTS = 8
"""Steps in place of one, where one for all has brought nothing: one node may hold up the start of all."""
PATIENCE, AGAIN = 10, 30
"""Seconds in which the scheduler must hand out free nodes: for the first time, and after a step that a lost
node has ended. Until the controller has given that node up, ten seconds or more, the others are not free."""
UNKNOWN = (NodeState.REFUSED, "Slurm knows no such node here")
SETTLING = 3
"""Times that nodes are listed, a second apart, as long as a job is just leaving one of them."""
SMALL = 1024
"""Megabytes asked of a node at work, where a job would else wait for all of its memory."""


class _Step:
    """One job of one step over some nodes of the same kind."""

    def __init__(self, nodes: Sequence[SlurmNode], without_gpu: bool) -> None:
        self.nodes = nodes
        self.name = slurm.job_name()
        self.without_gpu = without_gpu and nodes[0].gpus > 0
        self.begun: set[str] = set()
        self.over = False

    def job(self, order: Order, patience: int, exclusive: bool, python: str | None) -> Job:
        """Return the srun that asks these nodes; each task says first on which node it is."""
        first = self.nodes[0]
        wish = Wish(
            partition=first.partition,
            nodes=tuple(node.name for node in self.nodes),
            name=self.name,
            gpus=0 if self.without_gpu else first.gpus,
            exclusive=exclusive,
            memory=0 if first.idle else min(SMALL, first.memory),
            patience=patience,
            seconds=order.seconds,
            labelled=True,
        )
        introduced = f'echo "{order.marker}is:$SLURMD_NODENAME"; '
        told = (WITHOUT_GPU,) if self.without_gpu else ()
        words = (*interpreter(python, first=introduced, told=told), *INTERPRETER_FLAGS)
        return Job(self.name, slurm.command(wish, words), labelled=True)

    def end(self, ended: Ended, left: Iterable[str]) -> Iterator[Reply]:
        """Yield a reply for each node without an answer whose fate this end tells."""
        self.over = ended.code is not None
        names = {node.name: node for node in self.nodes}
        for name in [name for name in left if name in names]:
            told = verdict(
                ended,
                name,
                begun=name in self.begun,
                others=bool(self.begun),
                alone=len(self.nodes) == 1,
            )
            if told:
                state, why = told
                group = names[name].partition
                yield Reply(node=name, state=state, why=why, seconds=ended.seconds, group=group)


class Slurm:
    """The nodes of a partition, or those that the user names."""

    name = "slurm"

    def __init__(
        self,
        partition: str | None = None,
        nodes: Sequence[str] = (),
        *,
        idle_only: bool = False,
        exclusive: bool = False,
        without_gpu: bool = False,
        python: str | None = None,
    ) -> None:
        self._partition = partition
        self._asked = list(dict.fromkeys(name for one in nodes for name in _names(one)))
        self._idle_only, self._exclusive = idle_only or exclusive, exclusive
        self._without_gpu, self._python = without_gpu, python
        self._known: dict[str, SlurmNode] = {}

    def nodes(self) -> list[Listed]:
        """Return all nodes, with the words of Slurm for those that are not to be asked. Raises Unusable."""
        for _ in range(SETTLING):
            found = self._listed(self._asked)
            if all(node.why != slurm.COMPLETING for node in found):
                break
            time.sleep(1)
        if not found:
            raise Unusable(_no_nodes(self._partition))
        unknown = [name for name in self._asked if name not in self._known]
        return [
            *found,
            *(Listed(name, *UNKNOWN) for name in unknown),
        ]

    def run(self, order: Order, nodes: Sequence[Listed]) -> Iterator[Reply]:
        """Ask the nodes, those of one kind by one step, and once more those that others have held up."""
        left = {node.name: node for node in nodes}
        parts, words = 1, "no step could be started there"
        for number in range(ROUNDS):
            before = len(left)
            again = number > 0
            # The first time they have just been listed, unless a run is gone on with.
            for reply in self._moved(left.values()) if again or not self._known else ():
                del left[reply.node]
                yield reply
            with closing(self._round(order, list(left), parts, AGAIN if again else PATIENCE)) as replies:
                for one in replies:
                    if isinstance(one, str):
                        words = one
                    elif left.pop(one.node, None):
                        yield one
            if not left or (len(left) == before and parts >= order.limit):
                break
            parts = parts if len(left) < before else parts * PARTS
        for node in left.values():
            yield Reply(node=node.name, state=NodeState.SILENT, why=words, group=node.group)

    def _round(self, order: Order, names: Sequence[str], parts: int, patience: int) -> Generator[Reply | str]:
        """Ask once; yield replies, and the last words of steps that leave nodes without one."""
        steps = {step.name: step for step in self._steps(names, parts)}
        jobs = [step.job(order, patience, self._exclusive, self._python) for step in steps.values()]
        left = dict.fromkeys(names)
        news = told_by_many(
            jobs, order.text, order.marker, limit=order.limit, seconds=order.seconds + patience
        )
        try:
            with closing(news):
                for one in news:
                    for reply in self._replies(one, steps, left):
                        left.pop(reply.node, None)
                        yield reply
                    if isinstance(one, Ended):
                        yield last_words(one)
        finally:
            for step in steps.values():
                if not step.over:
                    slurm.cancel(step.name)

    def _replies(self, one: Told | Ended, steps: dict[str, _Step], left: Iterable[str]) -> Iterator[Reply]:
        if isinstance(one, Ended):
            yield from steps[one.name].end(one, left)
        elif one.document is None:
            steps[one.job].begun.add(one.name)
        elif one.name in self._known:
            yield Reply(
                node=one.name,
                state=NodeState.ANSWERED if one.document else NodeState.UNUSABLE,
                why="" if one.document else "the answer was damaged on its way",
                document=one.document or None,
                seconds=one.seconds,
                group=self._known[one.name].partition,
            )

    def _steps(self, names: Sequence[str], parts: int) -> Iterator[_Step]:
        kinds: dict[tuple[str, int, bool], list[SlurmNode]] = {}
        for node in (self._known[name] for name in names):
            kinds.setdefault((node.partition, node.gpus, node.idle), []).append(node)
        for nodes in kinds.values():
            size = -(-len(nodes) // parts)
            for start in range(0, len(nodes), size):
                # The GPUs of a node at work may be in use, and are not waited for.
                yield _Step(nodes[start : start + size], self._without_gpu or not nodes[0].idle)

    def _listed(self, names: Sequence[str]) -> list[Listed]:
        found = slurm.listed(self._partition, names)
        self._known |= {node.name: node for node in found}
        standing = ((node, *node.standing(self._idle_only)) for node in found)
        return [Listed(node.name, state, why, node.partition, node.host) for node, state, why in standing]

    def _moved(self, nodes: Iterable[Listed]) -> list[Reply]:
        """Return those that cannot be asked any more: a job has come, or somebody has drained them."""
        names = [node.name for node in nodes]
        now = {node.name: node for node in self._listed(names)}
        gone = (now.get(name, Listed(name, *UNKNOWN)) for name in names)
        return [
            Reply(node=node.name, state=node.state, why=node.why, group=node.group)
            for node in gone
            # What is completing may be the job with which we have just asked.
            if node.state is not None and node.why != slurm.COMPLETING
        ]


def _names(pattern: str) -> list[str]:
    try:
        names = expand(pattern)
    except BadPattern as error:
        bad = str(error)
    else:
        bad = next((name for name in names if not slurm.NAME.match(name)), "")
        if not bad:
            return names
    raise Unusable(
        message(
            "{asked}: '{part}' is no node name or pattern such as gpu[001-128]",
            "{asked}：'{part}' 不是节点名，也不是 gpu[001-128] 这样的写法",
            asked=pattern,
            part=bad,
        )
    )


def _no_nodes(partition: str | None) -> Message:
    if partition is None:
        return message("sinfo lists none of these nodes", "sinfo 没有列出这些节点")
    return message(
        "partition {partition}: sinfo lists no such nodes there; see sinfo -s",
        "分区 {partition}：sinfo 没有列出其中的节点；请看 sinfo -s",
        partition=partition,
    )
