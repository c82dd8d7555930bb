"""Does the API server accept how GPUs are asked for?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import infrastructure, wants_cuda, whole_gpus
from codeblue.model.config.kubernetes import Container, Pod, is_gpu
from codeblue.model.config.node import Node
from codeblue.model.facts import Driver
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.section import State
from codeblue.model.text import message

NUMBER = re.compile(r"[-+.0-9][-+.0-9eE]*[A-Za-z]{0,2}$")


@rule("pod-gpu-request-invalid")
def gpus_are_whole_limits(pod: Pod) -> Iterator[Problem]:
    """GPUs stand in limits, as whole numbers, and in requests only with the same number."""
    for container in pod.containers:
        for where in ("limits", "requests"):
            table = container.root.get("resources", where)
            for key, value in table.pairs if table else ():
                if is_gpu(key.text):
                    yield from _judged(container, where, key, value)


def _judged(container: Container, where: str, key: Node, value: Node) -> Iterator[Problem]:
    limit = container.amount("limits", key.text)
    if not NUMBER.match(value.text):
        # Empty, or something that a program fills in.
        return
    if not value.text.isdigit():
        yield Problem(
            place=value.place,
            variant="not-whole",
            message=message(
                "{resource}: {amount} is no whole number; a GPU cannot be shared like this",
                "{resource}: {amount} 不是整数；GPU 不能这样共享",
                resource=key.text,
                amount=value.text,
            ),
        )
    elif where == "requests" and limit is None:
        yield Problem(
            place=key.place,
            variant="request-only",
            message=message(
                "{resource} is only requested: the API server wants it in limits",
                "{resource} 只写在 requests 里：API 服务器要求写在 limits 里",
                resource=key.text,
            ),
            fix=_limited(container, key, value),
        )
    elif where == "requests" and limit is not None and limit.text != value.text and limit.text.isdigit():
        yield Problem(
            place=value.place,
            variant="unequal",
            message=message(
                "{resource}: request {request} is not the limit {limit}; for GPUs both must be the same",
                "{resource}：requests 为 {request}，limits 为 {limit}；对 GPU 二者必须相同",
                resource=key.text,
                request=value.text,
                limit=limit.text,
            ),
            fix=Fix(
                message("request as many as the limit", "让 requests 与 limits 相同"),
                (
                    Edit(
                        value.place,
                        limit.text if not value.style else f"{value.style}{limit.text}{value.style}",
                    ),
                ),
            ),
        )


def _limited(container: Container, key: Node, value: Node) -> Fix | None:
    """Return limits with the same number, in front of the requests."""
    resources = container.root.get("resources")
    requests = resources.key("requests") if resources else None
    if resources is None or requests is None or resources.get("limits") is not None:
        return None
    pad = " " * (requests.place.column - 1)
    given = f"{key.text}: {value.text}"
    text = f"limits: {{{given}}}, " if resources.style == "flow" else f"limits:\n{pad}  {given}\n{pad}"
    summary = message("limit as many as are requested", "在 limits 里写同样的数量")
    return Fix(summary, (Edit(requests.place.start, text),))


@rule("pod-gpu-request-invalid")
def machine_has_as_many(pod: Pod, driver: Driver) -> Iterator[Problem]:
    """The GPUs of one pod are on one machine; this one (``--on``) has fewer."""
    if driver.state is State.ABSENT:
        return
    there = len(driver.gpus)
    for container in pod.running:
        wanted = whole_gpus(container)
        if wanted is not None and 0 < there < wanted:
            yield Problem(
                place=container.gpus[0].place,
                variant="more-than-machine",
                message=message(
                    "container {name} asks for {wanted} GPUs; this machine has {there}, so it stays Pending",
                    "容器 {name} 申请 {wanted} 个 GPU，这台机器只有 {there} 个：在这里会一直 Pending",
                    name=container.name,
                    wanted=wanted,
                    there=there,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("gpu-only-in-init-container")
def job_has_the_gpus(pod: Pod) -> Iterator[Problem]:
    """The GPU is held as long as the pod lives, and only the init container could use it."""
    if infrastructure(pod) or any(container.gpus for container in pod.running):
        return
    users = [container for container in pod.running if wants_cuda(container)]
    for container in pod.containers:
        if container.init and container.gpus and users:
            yield Problem(
                place=container.gpus[0].place,
                message=message(
                    "init container {init} asks for the GPU, and {main}, which needs it, does not",
                    "申请 GPU 的是 init 容器 {init}，而真正要用的 {main} 没有申请",
                    init=container.name,
                    main=users[0].name,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("gpu-not-requested", pedantic=True)
def cuda_has_gpus(pod: Pod) -> Iterator[Problem]:
    """An image or command for GPUs in a pod that asks for none, in no way that this file shows."""
    elsewhere = pod.spec.each("resourceClaims") or any(one.gpus for one in pod.containers)
    if elsewhere or infrastructure(pod):
        return
    for container in pod.running:
        other = any("gpu" in name.lower() for name in container.resources)
        if wants_cuda(container) and not other and container.root.get("image"):
            key = container.root.key("image")
            assert key is not None
            yield Problem(
                place=key.place,
                message=message(
                    "container {name} runs CUDA programs and asks for no GPU",
                    "容器 {name} 运行 CUDA 程序却没有申请 GPU：可能被调度到没有 GPU 的节点",
                    name=container.name,
                ),
                certainty=Certainty.POSSIBLE,
            )


RULES = (gpus_are_whole_limits, machine_has_as_many, job_has_the_gpus, cuda_has_gpus)
