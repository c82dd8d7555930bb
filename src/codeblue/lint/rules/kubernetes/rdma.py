"""Pods that are given network adapters for RDMA."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import capabilities, infrastructure, privileged
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

RESOURCE = re.compile(
    r"rdma/|nvidia\.com/(?:hostdev|\w*rdma\w*)|\S+/\S*(?:mlnx|rdma|roce|_ib$|ib_sriov)\S*", re.IGNORECASE
)
"""Names under which device plugins offer adapters: RDMA shared device plugin, SR-IOV, network operator."""
FAST = re.compile(r"rdma|/hostdev|sriov|mlnx|roce|/efa|infiniband|networking\.gke\.io", re.IGNORECASE)
"""Resources, annotations and volumes by which an adapter may come into a pod."""


def _adapter(container: Container) -> Node | None:
    return next((key for name, key in container.resources.items() if RESOURCE.match(name)), None)


@rule("memlock-limit-too-low")
def memory_may_be_locked(pod: Pod) -> Iterator[Problem]:
    """Registering memory with the adapter needs IPC_LOCK, or a runtime whose limit is unlimited."""
    for container in pod.running:
        adapter = _adapter(container)
        if adapter is None or infrastructure(pod) or privileged(container):
            continue
        if not capabilities(container) & {"IPC_LOCK", "SYS_ADMIN", "ALL"}:
            yield Problem(
                place=adapter.place,
                variant="ipc-lock",
                message=message(
                    "container {name} gets {resource} without IPC_LOCK: RDMA may not lock its memory",
                    "容器 {name} 申请了 {resource}，但没有 IPC_LOCK：为 RDMA 锁定内存可能被拒绝",
                    name=container.name,
                    resource=adapter.text,
                ),
                certainty=Certainty.LIKELY,
                kind=Kind.RISK,
                severity=Severity.WARNING,
                fix=_with_lock(container),
            )


def _with_lock(container: Container) -> Fix | None:
    """Return the security context, in front of the resources."""
    key = container.root.key("resources")
    if key is None or container.root.style == "flow" or container.root.get("securityContext") is not None:
        return None
    pad = " " * (key.place.column - 1)
    text = f"securityContext:\n{pad}  capabilities:\n{pad}    add: [IPC_LOCK]\n{pad}"
    summary = message("add the capability IPC_LOCK", "加上 IPC_LOCK 能力")
    return Fix(summary, (Edit(key.place.start, text),))


@rule("nccl-transport-disabled-by-env")
def adapters_are_used(pod: Pod) -> Iterator[Problem]:
    """An adapter is asked for, and NCCL is told not to use it."""
    for container in pod.running:
        one, adapter = container.settings.last("NCCL_IB_DISABLE"), _adapter(container)
        if one is not None and one.value == "1" and adapter is not None:
            yield Problem(
                place=one.value_place or one.place,
                variant="beside-adapter",
                message=message(
                    "container {name} asks for {resource}, and NCCL_IB_DISABLE=1 leaves it unused",
                    "容器 {name} 申请了 {resource}，NCCL_IB_DISABLE=1 却不让用它",
                    name=container.name,
                    resource=adapter.text,
                ),
                kind=Kind.RISK,
                severity=Severity.WARNING,
            )


@rule("rdma-device-not-mounted-in-container")
def adapters_are_handed_in(pod: Pod) -> Iterator[Problem]:
    """NCCL is told which adapters to use, and none comes into the container."""
    annotations = pod.template.get("metadata", "annotations")
    whole = " ".join(annotations.keys()) if annotations else ""
    volumes = " ".join(one.say("hostPath", "path") for one in pod.spec.each("volumes"))
    claims = pod.spec.each("resourceClaims")
    if "cni.cncf.io" in whole or FAST.search(f"{whole} {volumes}") or claims or "/dev" in volumes.split():
        return
    for container in pod.running:
        one = container.settings.last("NCCL_IB_HCA")
        off = container.settings.last("NCCL_IB_DISABLE")
        if (
            one is None
            or not container.gpus
            or privileged(container)
            or (off is not None and off.value == "1")
        ):
            continue
        if not any(FAST.search(name) for name in container.resources):
            yield Problem(
                place=one.place,
                message=message(
                    "NCCL_IB_HCA is set, but container {name} asks for no RDMA device: NCCL goes on over TCP",
                    "设置了 NCCL_IB_HCA，但容器 {name} 没有申请 RDMA 设备：NCCL 会改走 TCP",
                    name=container.name,
                ),
                certainty=Certainty.POSSIBLE,
                kind=Kind.RISK,
                severity=Severity.WARNING,
            )


RULES = (memory_may_be_locked, adapters_are_used, adapters_are_handed_in)
