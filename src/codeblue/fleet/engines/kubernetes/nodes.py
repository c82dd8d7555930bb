"""The nodes of a cluster as its API lists them: which can be looked at, and why the others cannot."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar
from urllib.parse import urlencode

from msgspec import MsgspecError, Struct, json

from codeblue.model.fleet import Listed, NodeState
from codeblue.model.text import message
from codeblue.sources import kubectl
from codeblue.sources.target import Unusable

PAGE = 500
"""Objects of one answer: a node may have 15 kB, most of it names of images."""
GPU = re.compile(r"nvidia\.com/(?:gpu(?:\.shared)?|mig-[\w.]+)$")
OFFERED = re.compile(r"[^/]+/.*(?:gpu|mig-)|nvidia\.com/[A-Z]")
"""Names under which GPUs, parts of them or (as models in capitals) whole devices for virtual machines are
offered. Others of nvidia.com/, such as rdma_shared_device_a, are network cards."""
LABELS = (
    "nvidia.com/gpu.present",
    "nvidia.com/gpu.count",
    "nvidia.com/gpu.product",
    "nvidia.com/gpu.deploy.operands",
    "nvidia.com/gpu.deploy.device-plugin",
    "nvidia.com/gpu.workload.config",
    "nvidia.com/mig.config.state",
    "cloud.google.com/gke-accelerator",
    "k8s.amazonaws.com/accelerator",
    "kubernetes.azure.com/accelerator",
    "feature.node.kubernetes.io/pci-10de.present",
    "feature.node.kubernetes.io/pci-0300_10de.present",
    "feature.node.kubernetes.io/pci-0302_10de.present",
)
"""Labels that tell of GPUs; those that change from node to node, or with time, are left out."""
POOLS = (
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool",
    "node.kubernetes.io/instance-type",
    "nvidia.com/gpu.product",
)
"""Labels that name the group of a node, the most telling first."""
REPLICAS = "nvidia.com/gpu.replicas"
"""Above 1 a GPU is shared by time slices, and its plugin may refuse to hand out more than one share."""


class Metadata(Struct, frozen=True):
    """Name and labels of an object."""

    name: str
    labels: dict[str, str] | None = None


class Condition(Struct, frozen=True):
    """One condition of a node or a pod."""

    type: str
    status: str
    reason: str = ""
    message: str = ""


class NodeStatus(Struct, frozen=True):
    """What the kubelet and the node controller say."""

    allocatable: dict[str, str] | None = None
    capacity: dict[str, str] | None = None
    conditions: list[Condition] | None = None


class NodeSpec(Struct, frozen=True):
    """What people say."""

    unschedulable: bool = False


class Node(Struct, frozen=True):
    """A node as the API tells it."""

    metadata: Metadata
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()

    @property
    def gpus(self) -> dict[str, int]:
        """Kinds of GPUs that pods may ask for, with their number."""
        told = self.status.allocatable or {}
        return {name: count for name in told if GPU.match(name) and (count := whole(told[name])) > 0}


class Resources(Struct, frozen=True):
    """What a container asks for."""

    limits: dict[str, str] | None = None


class Asking(Struct, frozen=True):
    """A container of somebody's pod."""

    resources: Resources | None = None


class BusySpec(Struct, frozen=True, rename="camel"):
    """Where somebody's pod runs."""

    containers: list[Asking] = []
    node_name: str = ""


class Busy(Struct, frozen=True):
    """Somebody's pod."""

    spec: BusySpec


class Meta(Struct, frozen=True, rename={"more": "continue"}):
    """Where the next page begins."""

    more: str = ""


class NodeList(Struct, frozen=True):
    """One page of nodes."""

    items: list[Node]
    metadata: Meta = Meta()


class BusyList(Struct, frozen=True):
    """One page of pods."""

    items: list[Busy]
    metadata: Meta = Meta()


_Page = TypeVar("_Page", NodeList, BusyList)


def nodes(context: str | None, selector: str) -> list[Node]:
    """Return the nodes that the selector fits, all for an empty one. Raises Unusable."""
    asked = {"labelSelector": selector} if selector else {}
    found: list[Node] = []
    for page in _pages(context, "/api/v1/nodes", asked, NodeList):
        found += page.items
    return found


def requested(context: str | None) -> dict[str, int] | None:
    """Return by node how many GPUs the pods at work there hold; None if this login may not know.

    The scheduler knows it in any case: it gives no GPU twice.
    """
    held: dict[str, int] = {}
    asked = {"fieldSelector": "status.phase!=Succeeded,status.phase!=Failed"}
    try:
        for page in _pages(context, "/api/v1/pods", asked, BusyList):
            for pod in page.items:
                held[pod.spec.node_name] = held.get(pod.spec.node_name, 0) + _gpus(pod)
    except Unusable:
        return None
    return held


def listed(node: Node, held: Mapping[str, int], *, gpus: bool, cordoned: bool) -> Listed:
    """Return whether a node is to be asked, and with ``gpus`` only one whose GPUs are all free."""
    name, group = node.metadata.name, _group(node.metadata.labels or {})
    state, why = None, ""
    ready = next((one for one in node.status.conditions or () if one.type == "Ready"), None)
    if ready is None or ready.status != "True":
        state, why = NodeState.DOWN, _not_ready(ready)
    elif node.spec.unschedulable and not cordoned:
        state, why = NodeState.DOWN, "cordoned: somebody took it out of scheduling"
    elif (node.metadata.labels or {}).get("kubernetes.io/os", "linux") != "linux":
        state, why = NodeState.REFUSED, "it does not run Linux"
    elif gpus and node.gpus and held.get(name):
        state = NodeState.ALLOCATED
        why = f"pods hold {held[name]} of {sum(node.gpus.values())} GPUs"
    return Listed(name, state, why, group)


def told(node: Node, claims: Sequence[str] | None) -> dict[str, Any]:
    """Return what the cluster says of a node's GPUs, as a section beside those of the probe.

    ``claims`` are the drivers that offer devices in the newer way, for a node that offers none in the older
    one; None if this login may not know.
    """
    labels = node.metadata.labels or {}
    section: dict[str, Any] = {
        "state": "read",
        "source": "kubectl get nodes",
        "allocatable": _offered(node.status.allocatable),
        "capacity": _offered(node.status.capacity),
        "labels": {name: labels[name] for name in LABELS if name in labels},
    }
    if node.gpus:
        return section
    if claims is None:
        return section | {"unread": {"claims": "denied"}}
    return section | {"claims": list(claims), "sources": {"claims": "kubectl get resourceslices"}}


def _offered(counts: Mapping[str, str] | None) -> dict[str, int]:
    return {name: whole(count) for name, count in sorted((counts or {}).items()) if OFFERED.match(name)}


def request(node: Node) -> dict[str, int]:
    """Return the GPUs to ask for: all of the node, or one share where they are shared by time slices."""
    shares = (node.metadata.labels or {}).get(REPLICAS, "1")
    shared = shares.isdigit() and int(shares) > 1
    return {name: 1 if shared or name.endswith(".shared") else count for name, count in node.gpus.items()}


def whole(quantity: str) -> int:
    """Return a count as the API writes it (``8``, ``1k``); 0 for what is none."""
    number, factor = (quantity[:-1], 1000) if quantity.endswith("k") else (quantity, 1)
    try:
        return int(Decimal(number) * factor)
    except (InvalidOperation, ValueError, OverflowError):
        return 0


def _gpus(pod: Busy) -> int:
    limits = [one.resources.limits or {} for one in pod.spec.containers if one.resources is not None]
    return sum(whole(count) for row in limits for name, count in row.items() if GPU.match(name))


def _group(labels: Mapping[str, str]) -> str:
    return next((labels[pool] for pool in POOLS if labels.get(pool)), "")


def _not_ready(ready: Condition | None) -> str:
    if ready is None:
        return "NotReady: its kubelet has never reported"
    return ": ".join(filter(None, ("NotReady", ready.reason, ready.message)))[:300]


def _pages(
    context: str | None, path: str, asked: Mapping[str, str], kind: "type[_Page]"
) -> "Iterator[_Page]":
    more = ""
    while True:
        query = urlencode({**asked, "limit": str(PAGE), **({"continue": more} if more else {})})
        out = kubectl.asked("--kubernetes", context, "get", "--raw", f"{path}?{query}")
        try:
            page = json.decode(out, type=kind)
        except MsgspecError as error:
            raise Unusable(
                message(
                    "--kubernetes: what kubectl gives for {path} is no list of the API ({why})",
                    "--kubernetes：kubectl 对 {path} 的回答不是 API 列表（{why}）",
                    path=path,
                    why=error,
                )
            ) from None
        yield page
        more = page.metadata.more
        if not more:
            return


def by_name(found: Sequence[Node]) -> dict[str, Node]:
    """Return nodes by name."""
    return {node.metadata.name: node for node in found}
