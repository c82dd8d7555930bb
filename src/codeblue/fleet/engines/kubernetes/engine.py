"""The engine: Jobs in batches, their logs read a batch at a time, everything removed in the end."""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import MsgspecError, Struct, json, structs

from codeblue.fleet.engines.base import Order
from codeblue.fleet.engines.kubernetes import manifest
from codeblue.fleet.engines.kubernetes import nodes as listing
from codeblue.fleet.engines.kubernetes.batch import Batch
from codeblue.fleet.engines.kubernetes.cluster import Cluster
from codeblue.fleet.engines.kubernetes.manifest import Plan, Wanted
from codeblue.fleet.engines.kubernetes.pods import PodList
from codeblue.model.fleet import Listed, Reply
from codeblue.model.text import message
from codeblue.sources import kubectl
from codeblue.sources.target import Unusable

IMAGE = "docker.io/library/python:3.12-slim"
"""Has what the probe needs and nothing of a job; ``--image`` names the one that the jobs run in."""
POLL = 1.0
"""Seconds between two looks at the pods."""


class Asked(Struct, frozen=True, kw_only=True):
    """What the user says about the cluster."""

    selector: str = ""
    namespace: str | None = None
    context: str | None = None
    image: str = IMAGE
    start: float = 60.0
    """Seconds for placing the pod and pulling its image, beside those for the answer."""
    without_gpu: bool = False
    cordoned: bool = False
    tolerate: tuple[str, ...] = ()
    python: str | None = None
    """In the image; else the first that will do."""


class Kubernetes:
    """Nodes that a selector fits."""

    name = "kubernetes"

    def __init__(self, asked: Asked, left_over: Callable[[str], None] | None = None) -> None:
        """``left_over`` is told each earlier run whose objects are still in the cluster."""
        self._asked = asked
        self._tell = left_over
        self._cluster = Cluster(asked.context, asked.namespace)
        self._known: dict[str, listing.Node] = {}
        self._claims: dict[str, list[str]] | None = None
        self._claims_asked = False

    def nodes(self) -> list[Listed]:
        """Return the nodes, with those that are not to be asked. Raises Unusable."""
        kubectl.there()
        found = self._found()
        wants = not self._asked.without_gpu and any(node.gpus for node in found)
        held = (listing.requested(self._asked.context) if wants else None) or {}
        return [listing.listed(node, held, gpus=wants, cordoned=self._asked.cordoned) for node in found]

    def run(self, order: Order, nodes: Sequence[Listed]) -> Iterator[Reply]:
        """Make the Jobs, ``order.limit`` at once, and read what they say. Removes all that it has made."""
        plan = self._plan(order)
        waiting = iter(self._batches(nodes))
        working: list[Batch] = []
        most = max(1, order.limit // manifest.MOST)
        for run in self._cluster.left_over() if self._tell else ():
            assert self._tell is not None
            self._tell(run)
        try:
            self._cluster.make_text(plan, order.text)
            while True:
                for batch in islice(waiting, most - len(working)):
                    working.append(Batch(self._cluster, plan, order, batch))
                    yield from working[-1].begin()
                if not working:
                    return
                time.sleep(POLL)
                pods = self._pods(plan)
                for one in list(working):
                    yield from map(self._with_offer, one.look(pods))
                    if one.over:
                        working.remove(one)
        finally:
            self._cluster.clean(plan)

    def _with_offer(self, reply: Reply) -> Reply:
        """Put beside what the probe has read what the cluster says of this node's GPUs."""
        node = self._known.get(reply.node)
        if node is None or reply.document is None:
            return reply
        try:
            told = json.decode(reply.document, type=dict[str, Any])
            told["sections"]["kubernetes_node"] = listing.told(node, self._offered_by(node))
        except (MsgspecError, LookupError, TypeError):
            return reply  # no answer of the probe: the store says what is wrong with it
        return structs.replace(reply, document=json.encode(told))

    def _offered_by(self, node: listing.Node) -> list[str] | None:
        """Return who else offers devices of a node; the cluster is asked once, if a node needs it."""
        if node.gpus:
            return None
        if not self._claims_asked:
            self._claims, self._claims_asked = self._cluster.claims(), True
        return None if self._claims is None else self._claims.get(node.metadata.name, [])

    def render(self, order: Order, nodes: Sequence[Listed]) -> str:
        """Return what would be made for these nodes, as YAML."""
        wanted = [one for batch in self._batches(nodes) for one in batch]
        return manifest.rendered(self._plan(order), order.text, wanted)

    def _found(self) -> list[listing.Node]:
        found = listing.nodes(self._asked.context, self._asked.selector)
        if not found:
            raise Unusable(
                message(
                    "--kubernetes -l {selector}: no node has these labels (kubectl get nodes --show-labels)",
                    "--kubernetes -l {selector}：没有带这些标签的节点（kubectl get nodes --show-labels）",
                    selector=self._asked.selector or "''",
                )
            )
        self._known = listing.by_name(found)
        return found

    def _plan(self, order: Order) -> Plan:
        run = "".join(sign for sign in order.marker.rpartition("-")[2] if sign.isalnum())
        tolerate = (*self._asked.tolerate, *((manifest.CORDONED,) if self._asked.cordoned else ()))
        seconds = round(order.seconds + self._asked.start)
        return Plan(
            run=run,
            image=self._asked.image,
            seconds=seconds,
            tolerate=tolerate,
            python=self._asked.python,
        )

    def _batches(self, listed: Sequence[Listed]) -> Iterator[list[Wanted]]:
        if not all(one.name in self._known for one in listed):  # a resumed run: look up what they have now
            self._found()
        rows = [
            Wanted(number, one.name, number // manifest.MOST, self._gpus(one.name), one.group)
            for number, one in enumerate(listed)
        ]
        for start in range(0, len(rows), manifest.MOST):
            yield rows[start : start + manifest.MOST]

    def _gpus(self, name: str) -> dict[str, int]:
        node = self._known.get(name)
        return {} if node is None or self._asked.without_gpu else listing.request(node)

    def _pods(self, plan: Plan) -> PodList | None:
        """Return our pods, None if the cluster did not tell them this time."""
        answer = self._cluster.call("get", "pods", "-l", f"{manifest.RUN}={plan.run}", "-o", "json")
        try:
            return json.decode(answer.out, type=PodList) if answer.code == 0 else None
        except MsgspecError:
            return None
