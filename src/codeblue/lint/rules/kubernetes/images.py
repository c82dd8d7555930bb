"""Images of pods: what their names leave open, and whether the node's driver carries them."""

import re
from collections.abc import Iterator

from codeblue.knowledge.drivers import Reach, reach
from codeblue.lint.rule import rule
from codeblue.matrix.images import of_image
from codeblue.model.config.image import Image
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.node import Node
from codeblue.model.facts import Driver
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.manifest import Said
from codeblue.model.section import State
from codeblue.model.text import message

BUILD = re.compile(r"\+cu([0-9]+)([0-9])$")
MOVING = ("", "latest", "nightly", "main", "master", "dev", "stable", "edge")
REPLICAS = (("spec", "replicas"), ("spec", "parallelism"), ("spec", "completions"))
SETS = ("pytorchReplicaSpecs", "mpiReplicaSpecs", "tfReplicaSpecs", "jaxReplicaSpecs", "paddleReplicaSpecs")


def _image(container: Container) -> tuple[Node, Image] | None:
    node = container.root.get("image")
    if node is None or not node.text or any(sign in node.text for sign in "$<{%"):
        return None
    return node, Image(text=node.text, place=node.place)


def _several(pod: Pod) -> bool:
    """Tell whether more than one pod is made from the template, so that their images may differ."""
    numbers = [pod.owner.root.say(*path) for path in REPLICAS]
    return any(number.isdigit() and int(number) > 1 for number in numbers) or any(
        pod.owner.root.get("spec", kind) is not None for kind in SETS
    )


@rule("image-tag-mutable")
def replicas_have_one_image(pod: Pod) -> Iterator[Problem]:
    """Pods of one job, or of one service, that may get different images under one moving tag."""
    for container in pod.running:
        found = _image(container)
        if found is None or found[1].digest or found[1].tag not in MOVING or not container.gpus:
            continue
        if _several(pod):
            node, image = found
            yield Problem(
                place=node.place,
                variant="replicas",
                message=message(
                    "{image}: the tag moves, so that pods of the same {kind} may run different images",
                    "{image}：标签会变，同一个 {kind} 的各个 pod 可能运行不同的镜像",
                    image=image.text,
                    kind=pod.owner.kind,
                ),
            )


@rule("driver-too-old-for-cuda")
def driver_carries_the_image(pod: Pod, driver: Driver) -> Iterator[Problem]:
    """The CUDA in the image's name against the driver of the machine (``--on``)."""
    if driver.state is State.ABSENT:
        return
    version = driver.module_version
    for container in pod.running:
        found = _image(container)
        cuda = _cuda(found[1]) if found is not None and container.gpus else None
        if found is not None and cuda is not None and reach(version, cuda) is Reach.TOO_OLD:
            yield Problem(
                place=found[0].place,
                message=message(
                    "{image} brings CUDA {cuda}, which driver {driver} of this machine does not run",
                    "{image} 自带 CUDA {cuda}，这台机器的驱动 {driver} 跑不了",
                    image=found[1].text,
                    cuda=cuda,
                    driver=version,
                ),
                certainty=Certainty.LIKELY,
            )


def _cuda(image: Image) -> str | None:
    told = of_image(Said(value=image.text, origin=""), {})
    if told.cuda is not None:
        return told.cuda.value
    found = BUILD.search(told.torch.value) if told.torch is not None else None
    return f"{found[1]}.{found[2]}" if found else None


RULES = (replicas_have_one_image, driver_carries_the_image)
