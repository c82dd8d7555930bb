"""Is there enough ``/dev/shm``?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

SHM = "/dev/shm"  # noqa: S108 - the subject, not a temporary file


@rule("pod-shm-missing")
def shared_memory_is_mounted(pod: Pod) -> Iterator[Problem]:
    """Look at each container that asks for GPUs; with one GPU it may do without."""
    if pod.spec.say("hostIPC") == "true":
        return
    for container in pod.running:
        gpus = container.gpus
        if gpus and _mount(container) is None:
            several = any(_amount(container, key.text) > 1 for key in gpus)
            yield Problem(
                place=gpus[0].place,
                message=message(
                    "container {name} has GPUs but only the 64 MB /dev/shm that every container gets",
                    "容器 {name} 使用 GPU，但 /dev/shm 只有每个容器默认的 64 MB",
                    name=container.name,
                ),
                certainty=Certainty.CERTAIN if several else Certainty.POSSIBLE,
            )


@rule("pod-shm-on-disk")
def shared_memory_is_memory(pod: Pod) -> Iterator[Problem]:
    """An emptyDir without ``medium: Memory`` is a folder on the node's disk."""
    for container in pod.running:
        mount = _mount(container)
        volume = pod.volume(mount.say("name")) if mount else None
        empty = volume.get("emptyDir") if volume else None
        medium = empty.get("medium") if empty else None
        if volume is not None and empty is not None and (medium is None or medium.text != "Memory"):
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


def _mount(container: Container) -> Node | None:
    mounts = container.root.each("volumeMounts")
    return next((one for one in mounts if one.say("mountPath").rstrip("/") == SHM), None)


def _amount(container: Container, resource: str) -> int:
    node = container.amount("limits", resource) or container.amount("requests", resource)
    return int(node.text) if node is not None and node.text.isdigit() else 1


RULES = (shared_memory_is_mounted, shared_memory_is_memory)
