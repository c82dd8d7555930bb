"""Does the API server accept how GPUs are asked for?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Container, Pod, is_gpu
from codeblue.model.config.node import Node
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message


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


RULES = (gpus_are_whole_limits,)
