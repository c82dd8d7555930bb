"""Is there enough ``/dev/shm``?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import LAUNCHED, infrastructure, quantity, said
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

SHM = "/dev/shm"  # noqa: S108 - the subject, not a temporary file
MOUNTED = ("RayCluster", "RayJob", "RayService", "RayCronJob")
"""Kinds whose operator puts a memory volume there itself (KubeRay, controllers/ray/common/pod.go)."""
IDLE = re.compile(r"\bsleep (?:inf|[0-9]{2,})|tail -f /dev/null|while true")
"""A pod that waits for somebody to work in it."""


@rule("pod-shm-missing")
def shared_memory_is_mounted(pod: Pod) -> Iterator[Problem]:
    """Look at each container that asks for several GPUs, or starts several processes."""
    for container in _without(pod):
        if _several(container):
            yield _missing(container, Certainty.CERTAIN)


@rule("pod-shm-missing", pedantic=True)
def shared_memory_is_mounted_for_one(pod: Pod) -> Iterator[Problem]:
    """With one GPU only loaders with worker processes need it."""
    for container in _without(pod):
        if not _several(container):
            yield _missing(container, Certainty.POSSIBLE)


def _without(pod: Pod) -> list[Container]:
    if pod.spec.say("hostIPC") == "true" or pod.owner.kind in MOUNTED:
        return []
    return [one for one in pod.running if one.gpus and _mount(one) is None]


def _several(container: Container) -> bool:
    many = any(_amount(container, key.text) > 1 for key in container.gpus)
    return (many and not IDLE.search(said(container))) or LAUNCHED.search(said(container)) is not None


def _missing(container: Container, certainty: Certainty) -> Problem:
    return Problem(
        place=container.gpus[0].place,
        message=message(
            "container {name} has GPUs but only the 64 MB /dev/shm that every container gets",
            "容器 {name} 使用 GPU，但 /dev/shm 只有每个容器默认的 64 MB",
            name=container.name,
        ),
        certainty=certainty,
    )


@rule("pod-shm-on-disk")
def shared_memory_is_memory(pod: Pod) -> Iterator[Problem]:
    """An emptyDir without ``medium: Memory`` is a folder on the node's disk."""
    for container in pod.running:
        found = _volume(pod, container)
        if found is None:
            continue
        volume, empty = found
        medium = empty.get("medium")
        if medium is None or medium.text != "Memory":
            key = volume.key("emptyDir")
            assert key is not None
            yield Problem(
                place=medium.place if medium else key.place,
                message=message(
                    "the shared memory of container {name} is on disk: medium is {medium}, not Memory",
                    "容器 {name} 的共享内存在磁盘上：medium 为 {medium}，而不是 Memory",
                    name=container.name,
                    medium=repr(medium.text) if medium else "''",
                ),
            )


@rule("pod-shm-exceeds-memory-limit")
def shared_memory_fits(pod: Pod) -> Iterator[Problem]:
    """What is written to it counts towards the memory limit of the container."""
    for container in pod.running:
        found, limit = _volume(pod, container), container.amount("limits", "memory")
        size = found[1].get("sizeLimit") if found and found[1].say("medium") == "Memory" else None
        room, most = quantity(size.text) if size else None, quantity(limit.text) if limit else None
        if size is not None and limit is not None and room is not None and most is not None and room >= most:
            yield Problem(
                place=size.place,
                message=message(
                    "{path} may grow to {size}, but container {name} is killed at {limit} of memory in all",
                    "{path} 最大可到 {size}，而容器 {name} 内存总量到 {limit} 就会被杀",
                    path=SHM,
                    size=size.text,
                    name=container.name,
                    limit=limit.text,
                ),
                certainty=Certainty.CERTAIN,
            )


@rule("memory-volume-unlimited", pedantic=True)
def memory_volumes_have_a_size(pod: Pod) -> Iterator[Problem]:
    """Without ``sizeLimit`` the volume grows up to the limits of the pod, or half of the node's memory."""
    for volume in pod.spec.each("volumes"):
        empty = volume.get("emptyDir")
        if empty is not None and empty.say("medium") == "Memory" and empty.get("sizeLimit") is None:
            key = volume.key("emptyDir")
            assert key is not None
            if not infrastructure(pod):
                yield Problem(
                    place=key.place,
                    message=message(
                        "memory volume {name} has no sizeLimit",
                        "内存卷 {name} 没有 sizeLimit",
                        name=volume.say("name"),
                    ),
                )


def _mount(container: Container) -> Node | None:
    mounts = container.root.each("volumeMounts")
    return next((one for one in mounts if one.say("mountPath").rstrip("/") == SHM), None)


def _volume(pod: Pod, container: Container) -> tuple[Node, Node] | None:
    """Return the volume on ``/dev/shm`` and its emptyDir."""
    mount = _mount(container)
    volume = pod.volume(mount.say("name")) if mount else None
    empty = volume.get("emptyDir") if volume else None
    return (volume, empty) if volume is not None and empty is not None else None


def _amount(container: Container, resource: str) -> int:
    node = container.amount("limits", resource) or container.amount("requests", resource)
    return int(node.text) if node is not None and node.text.isdigit() else 1


RULES = (
    shared_memory_is_mounted,
    shared_memory_is_mounted_for_one,
    shared_memory_is_memory,
    shared_memory_fits,
    memory_volumes_have_a_size,
)
