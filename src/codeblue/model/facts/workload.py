"""Facts about pods and the nodes that they are to run on, as the API of Kubernetes tells them."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Pod(Row, frozen=True, kw_only=True):
    """One pod that waits."""

    phase: Fact[str] = UNREAD
    """As printed, e.g. ``Pending`` or ``ContainerCreating``."""
    waiting: Fact[int] = UNREAD
    """Seconds that it has waited for at least."""
    since: Fact[str] = UNREAD
    """When it began, as written."""
    reason: Fact[str] = UNREAD
    """What the scheduler or the kubelet says, without a word about preemption."""


class Pods(Section, frozen=True, kw_only=True):
    """Pods that wait, out of pasted output of kubectl."""

    NAME: ClassVar[str] = "pods"
    TABLE: ClassVar[str] = "pods"

    pods: Fact[dict[str, Pod]] = UNREAD
    """By name; another namespace than the default stands before a slash."""


class KubernetesNode(Section, frozen=True, kw_only=True):
    """What the cluster says of a node's GPUs; told by the engine, no probe can read it."""

    NAME: ClassVar[str] = "kubernetes_node"

    allocatable: Fact[dict[str, int]] = UNREAD
    """GPUs, or parts of them, that pods may ask for, by the name of the resource."""
    capacity: Fact[dict[str, int]] = UNREAD
    """Those that the device plugin has announced; what it calls unhealthy is missing above."""
    labels: Fact[dict[str, str]] = UNREAD
    """Labels that tell whether there are GPUs, and what for."""
    claims: Fact[list[str]] = UNREAD
    """Drivers of Dynamic Resource Allocation that offer devices of this node."""
