"""A few Jobs at work: who has answered, who will not, and why."""

import re
import time
from collections.abc import Iterator, Sequence

from codeblue.fleet.engines.base import Order
from codeblue.fleet.engines.kubernetes import pods as fates
from codeblue.fleet.engines.kubernetes.cluster import Cluster
from codeblue.fleet.engines.kubernetes.manifest import Plan, Wanted
from codeblue.fleet.engines.kubernetes.pods import Fate, Pod, PodList
from codeblue.model.fleet import NodeState, Reply
from codeblue.transport.frames import Frames

PATIENCE = 10.0
"""Seconds in which the Job's controller makes a pod and the scheduler finds its place."""
EVERY = 5.0
"""Seconds between two readings of the logs while others of the batch are still at work."""
PREFIX = re.compile(rb"\[pod/([^/\]]+)/[^\]]*\] ")
"""What kubectl writes before a line of a log."""


class Batch:
    """The Jobs of one call. ``begin`` first, then ``look`` until it is ``over``."""

    def __init__(self, cluster: Cluster, plan: Plan, order: Order, wanted: Sequence[Wanted]) -> None:
        self._cluster, self._plan, self._order = cluster, plan, order
        self._wanted = wanted
        self._left = {plan.job(one.number): one for one in wanted}
        self._began = self._heard = time.monotonic()
        self._asked = 0.0
        """When the events were looked at."""

    @property
    def over(self) -> bool:
        """True if every node has a reply."""
        return not self._left

    def begin(self) -> Iterator[Reply]:
        """Make the Jobs; yield the replies of nodes whose Job was refused. Raises Unusable if all were."""
        for job, why in self._cluster.make(self._plan, self._wanted).items():
            yield self._reply(job, Fate(NodeState.REFUSED, why))

    def look(self, told: PodList | None) -> Iterator[Reply]:
        """Yield the replies of nodes of which all is known now."""
        age = time.monotonic() - self._began
        late = age > self._plan.seconds
        mine = {pod.job: pod for pod in told.items if pod.job in self._left} if told else {}
        for job, pod in mine.items():
            fate = fates.stuck(pod) or (fates.unplaced(pod) if age > PATIENCE else None)
            if fate is not None:
                yield self._reply(job, fate)
        if told is not None and age > PATIENCE and any(job not in mine for job in self._left):
            yield from self._without_pod(mine)
        done = sum(job in mine and mine[job].over for job in self._left)
        if late or (done and (done == len(self._left) or time.monotonic() - self._heard > EVERY)):
            yield from self._read(mine, late)
            self._heard = time.monotonic()
        if self.over:
            self._cluster.remove(self._plan, self._wanted[0].batch)

    def _without_pod(self, mine: dict[str, Pod]) -> Iterator[Reply]:
        """Yield the replies of nodes for whose Job the controller could make no pod, as a quota forbids."""
        if time.monotonic() - self._asked < PATIENCE:
            return
        self._asked = time.monotonic()
        names = {job: job for job in self._left if job not in mine}
        for job, why in dict(fates.warnings(self._cluster.events(), names)).items():
            yield self._reply(job, Fate(NodeState.REFUSED, why))

    def _read(self, mine: dict[str, Pod], late: bool) -> Iterator[Reply]:
        """Yield the replies of those that are over, from their logs, or why there is none; if late of all."""
        documents, words = self._documents(mine)
        silent = [job for job in self._left if job not in documents and not _over(mine, job)]
        said = self._warned(mine, silent) if silent and late else {}
        for job in list(self._left):
            if job in documents:
                yield self._reply(job, None, documents[job])
            elif job in mine and mine[job].over:
                yield self._reply(job, _with(fates.ended(mine[job]), words.get(job, "")))
            elif late:
                yield self._reply(job, self._no_end(mine.get(job), said.get(job, "")))

    def _documents(self, mine: dict[str, Pod]) -> tuple[dict[str, bytes], dict[str, str]]:
        """Return by Job the answers, and the last words of those that gave none."""
        jobs = {pod.metadata.name.encode(): job for job, pod in mine.items()}
        frames = {job: Frames(self._order.marker) for job in mine}
        words: dict[str, str] = {}
        for line in self._cluster.logs(self._plan, self._wanted[0].batch).out.split(b"\n"):
            found = PREFIX.match(line)
            job = jobs.get(found.group(1)) if found else None
            if job is not None and found is not None:
                frames[job].take(line)
                said = line[found.end() :].decode("utf-8", "replace").strip()
                words[job] = said or words.get(job, "")
        answers = {job: document for job, one in frames.items() if (document := one.document()) is not None}
        return answers, words

    def _warned(self, mine: dict[str, Pod], jobs: Sequence[str]) -> dict[str, str]:
        names = {job: job for job in jobs} | {mine[job].metadata.name: job for job in jobs if job in mine}
        return dict(fates.warnings(self._cluster.events(), names))

    def _no_end(self, pod: Pod | None, warning: str) -> Fate:
        """Return why there is neither an answer nor an end."""
        if pod is None:
            return Fate(NodeState.REFUSED if warning else NodeState.SILENT, warning or "no pod was made")
        if pod.status.phase == "Running":
            return Fate(NodeState.SILENT, f"its pod runs, but gave no answer within {self._plan.seconds} s")
        state = NodeState.REFUSED if warning else NodeState.SILENT
        return Fate(state, warning or f"its pod did not start within {self._plan.seconds} s")

    def _reply(self, job: str, fate: Fate | None, document: bytes | None = None) -> Reply:
        wanted = self._left.pop(job)
        return Reply(
            node=wanted.node,
            group=wanted.group,
            state=fate.state if fate else NodeState.ANSWERED,
            why=fate.why if fate else "",
            document=document,
            seconds=round(time.monotonic() - self._began, 3),
        )


def _over(mine: dict[str, Pod], job: str) -> bool:
    return job in mine and mine[job].over


def _with(fate: Fate, words: str) -> Fate:
    return Fate(fate.state, f"{fate.why}: {words[:200]}") if words else fate
