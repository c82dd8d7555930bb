"""Does the image that is named exist, and will it be the same one tomorrow?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.containers import gpu_images
from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.config.container import ContainerRun
from codeblue.model.config.docker import Dockerfile
from codeblue.model.config.image import Image
from codeblue.model.facts import Driver
from codeblue.model.fault import Certainty, Severity
from codeblue.model.judgement import Answer
from codeblue.model.lint import Problem
from codeblue.model.text import Message, message

CUDA = re.compile(r"(?:docker\.io/|nvcr\.io/)?nvidia/cuda$")
MINOR_ONLY = re.compile(r"(\d+)\.(\d+)(?:$|-)")
"""A tag without a third number."""
WITHDRAWN = {
    "conda/miniconda3": "anaconda/miniconda",
    "conda/miniconda2": "anaconda/miniconda",
    "nvidia/cudagl": "nvidia/cuda",
    "nvidia/cuda-ppc64le": "nvidia/cuda",
    "docker.io/conda/miniconda3": "anaconda/miniconda",
}
"""Images that get no releases any more, and what to take instead."""
NOTHING = "scratch"
MOVING = frozenset(("latest", "main", "master", "nightly", "dev", "edge", "stable", ""))


@rule("base-image-deprecated")
def image_is_still_there(image: Image) -> Iterator[Problem]:
    """NVIDIA deletes old tags of its CUDA images."""
    if "$" in image.text or image.digest:
        return
    why = _gone(image) if CUDA.match(image.repository) else _abandoned(image)
    if why is not None:
        yield Problem(
            place=image.place,
            message=why,
            certainty=Certainty.LIKELY,
            severity=None if CUDA.match(image.repository) else Severity.WARNING,
        )


def _gone(image: Image) -> Message | None:
    if image.tag in ("", "latest"):
        return message(
            "nvidia/cuda has had no tag latest since 2021: name one, such as 12.8.1-devel-ubuntu22.04",
            "nvidia/cuda 自 2021 年起没有 latest 标签：请写明标签，例如 12.8.1-devel-ubuntu22.04",
        )
    found = re.match(r"(\d+)\.(\d+)", image.tag)
    if found and int(found[1]) < 11:
        return message(
            "NVIDIA has deleted the images of CUDA {version}: there is no {image} any more",
            "NVIDIA 已删除 CUDA {version} 的镜像：{image} 已不存在",
            version=found[0],
            image=image.text,
        )
    if MINOR_ONLY.match(image.tag):
        return message(
            "tags of nvidia/cuda have three numbers; there is no {tag}",
            "nvidia/cuda 的标签由三段版本号组成；不存在 {tag}",
            tag=image.tag,
        )
    return None


def _abandoned(image: Image) -> Message | None:
    instead = WITHDRAWN.get(image.repository)
    if instead is None:
        return None
    return message(
        "{image} gets no releases any more; take {instead}",
        "{image} 已不再发布新版本；请改用 {instead}",
        image=image.repository,
        instead=instead,
    )


@rule("image-tag-mutable", pedantic=True)
def base_is_one_image(dockerfile: Dockerfile) -> Iterator[Problem]:
    """A tag that is pushed again names another image tomorrow."""
    for stage in dockerfile.stages:
        if not stage.parent:
            yield from _moving(stage.base)


@rule("image-tag-mutable", pedantic=True)
def container_has_one_image(run: ContainerRun) -> Iterator[Problem]:
    """The same where a container is started."""
    if run.image is not None:
        yield from _moving(run.image)


def _moving(image: Image) -> Iterator[Problem]:
    if image.digest or "$" in image.text or image.text.lower() == NOTHING or image.tag not in MOVING:
        return
    yield Problem(
        place=image.place,
        message=message(
            "{image} names whatever was pushed last: write a version, or the digest",
            "{image} 指的是最后一次推送的镜像：请写明版本或 digest",
            image=image.text,
        ),
    )


@rule("driver-too-old-for-cuda")
def driver_runs_the_base(image: Image, driver: Driver) -> Iterator[Problem]:
    """The CUDA of a base image is newer than the driver of the machine carries."""
    cuda = gpu_images.cuda_of(image) if image.builds else None
    if cuda is None:
        return
    version = driver.module_version
    told = judge(Combination(driver=Part(version, "driver"), cuda=Part(cuda, image.text)))
    for one in told.judgements:
        if one.rule == "driver-runs-cuda" and one.answer is Answer.NO:
            yield Problem(place=image.place, message=one.text, certainty=Certainty.LIKELY)


RULES = (driver_runs_the_base, image_is_still_there, base_is_one_image, container_has_one_image)
