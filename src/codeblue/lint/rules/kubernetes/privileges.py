"""Rights of the node that a training pod does not need."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import infrastructure, privileged
from codeblue.model.config.kubernetes import Pod
from codeblue.model.lint import Problem
from codeblue.model.text import message


@rule("pod-rights-unneeded")
def shared_memory_is_its_own(pod: Pod) -> Iterator[Problem]:
    """``hostIPC`` for the sake of ``/dev/shm``; a memory volume gives the same without the node's."""
    key = pod.spec.key("hostIPC")
    if key is None or pod.spec.say("hostIPC") != "true" or infrastructure(pod):
        return
    if any(container.gpus for container in pod.running):
        yield Problem(
            place=key.place,
            variant="host-ipc",
            message=message(
                "hostIPC shares the node's shared memory with every job on it; "
                "a memory volume on /dev/shm is enough",
                "hostIPC 会与节点上所有任务共享内存段；在 /dev/shm 挂一个内存卷就够了",
            ),
        )


@rule("pod-rights-unneeded", pedantic=True)
def rights_are_few(pod: Pod) -> Iterator[Problem]:
    """``privileged`` and ``hostPID`` in pods that get their GPUs from the device plugin."""
    if infrastructure(pod):
        return
    asks = [container for container in pod.running if container.gpus]
    key = pod.spec.key("hostPID")
    if asks and key is not None and pod.spec.say("hostPID") == "true":
        yield Problem(
            place=key.place,
            variant="host-pid",
            message=message(
                "hostPID lets the job see and signal the processes of others",
                "hostPID 让任务能看到并操作别人的进程",
            ),
        )
    for container in asks:
        context = container.root.get("securityContext")
        if context is not None and privileged(container):
            right = context.key("privileged")
            assert right is not None
            yield Problem(
                place=right.place,
                variant="privileged",
                message=message(
                    "privileged gives container {name} every GPU of the node, also those of other pods; "
                    "for RDMA IPC_LOCK is enough",
                    "privileged 让容器 {name} 能用节点上所有 GPU，包括别的 pod 的；RDMA 只需要 IPC_LOCK",
                    name=container.name,
                ),
            )


RULES = (shared_memory_is_its_own, rights_are_few)
