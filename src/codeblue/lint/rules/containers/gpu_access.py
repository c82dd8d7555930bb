"""Does a container get the GPUs that it is meant to have?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.containers import gpu_images
from codeblue.model.config.container import ContainerRun
from codeblue.model.config.shell import Script, Word
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message
from codeblue.sources.config import docker_run

NOTHING = ("none", "void", "")
INDEX = re.compile(r"\d{1,3}")
NODES = ("/dev/nvidia", "nvidia.com/gpu", "/dev/dxg")
PLAIN_COMMANDS = re.compile(
    r"(?:.*/)?(?:nvcc|pip\d?|make|cmake|ls|cat|echo|git|apt-get|tar|cp|chown|chmod|(?:ba|da|z)?sh)$"
)
"""Programs that people run in a CUDA image without a GPU."""


@rule("container-started-without-nvidia-runtime")
def gpus_are_requested(run: ContainerRun) -> Iterator[Problem]:
    """An image for GPUs is started without any; the default runtime of the host may still bring them."""
    image = run.image
    if image is None or run.open or run.has_gpus or run.privileged or not gpu_images.is_made_for_gpus(image):
        return
    if run.settings.last("NVIDIA_VISIBLE_DEVICES") or any(one.text.startswith(NODES) for one in run.devices):
        return
    if run.command and PLAIN_COMMANDS.match(run.command[0].text):
        return
    how = "gpus: all" if run.program == "compose" else _option(run)
    yield Problem(
        place=image.place,
        message=message(
            "{image} is an image for GPUs, and {owner} asks for none: add {how}",
            "{image} 是 GPU 镜像，但 {owner} 没有申请 GPU：请加上 {how}",
            image=image.text,
            owner=run.owner,
            how=how,
        ),
        certainty=Certainty.LIKELY if gpu_images.needs_gpus(image) else Certainty.POSSIBLE,
        severity=Severity.WARNING,
    )


def _option(run: ContainerRun) -> str:
    return "--device nvidia.com/gpu=all" if run.program == "podman" else "--gpus all"


@rule("container-started-without-nvidia-runtime")
def options_stand_before_the_image(run: ContainerRun) -> Iterator[Problem]:
    """Behind the image ``--gpus`` is an argument of the program inside."""
    if run.program == "compose" or run.image is None or run.has_gpus:
        return
    for word in run.command[:1]:
        name = word.text.partition("=")[0]
        if name in ("--gpus", "--runtime"):
            yield Problem(
                place=word.place,
                message=message(
                    "{option} stands behind the image: {program} hands it to the program inside, and the "
                    "container gets no GPU",
                    "{option} 写在镜像名之后：{program} 会把它交给容器内的程序，容器得不到 GPU",
                    option=name,
                    program=run.program,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("docker-gpus-option-unquoted")
def several_gpus_are_in_quotes(script: Script) -> Iterator[Problem]:
    """``device=0,1`` reads as CSV: ``1`` becomes a count, unless the quotes reach docker."""
    for command in script.commands:
        if command.name not in docker_run.PROGRAMS:
            continue
        word = command.option("--gpus")
        value = word.text.removeprefix("--gpus=") if word else ""
        if word is not None and re.fullmatch(r"device=[^\"',]+,[^\"']+", value):
            option = "" if word.text == value else "--gpus="
            yield Problem(
                place=word.place,
                message=message(
                    "--gpus {value}: docker reads the part behind the comma as a number of GPUs and refuses; "
                    "the value needs double quotes that the shell leaves in place",
                    "--gpus {value}：docker 会把逗号之后的部分当作 GPU 数量而拒绝启动；"
                    "这个值需要能传到 docker 的双引号",
                    value=value,
                ),
                fix=Fix(
                    message("put it in both kinds of quotes", "加上两层引号"),
                    (
                        Edit(
                            word.place,
                            f"{option}'\"{value}\"'" if word.literal else f'{option}"\\"{value}\\""',
                        ),
                    ),
                    safe=True,
                ),
            )


@rule("nvidia-visible-devices-none")
def gpus_are_not_hidden_again(run: ContainerRun) -> Iterator[Problem]:
    """The NVIDIA runtime is chosen, and told to bring no GPU."""
    shown = run.settings.last("NVIDIA_VISIBLE_DEVICES")
    if shown is None or shown.value is None or run.runtime is None or run.gpus:
        return
    if run.runtime.text.startswith("nvidia") and shown.value.strip("\"'").lower() in NOTHING:
        yield Problem(
            place=shown.value_place or shown.place,
            message=message(
                "the runtime is {runtime}, but NVIDIA_VISIBLE_DEVICES={value}: the container gets no GPU",
                "runtime 为 {runtime}，但 NVIDIA_VISIBLE_DEVICES={value}：容器得不到 GPU",
                runtime=run.runtime.text,
                value=shown.value,
            ),
        )


@rule("nvidia-env-vars-missing-in-image")
def runtime_is_told_what_to_bring(run: ContainerRun) -> Iterator[Problem]:
    """The NVIDIA runtime looks at variables that a plain image does not set."""
    if run.runtime is None or not run.runtime.text.startswith("nvidia") or run.gpus or run.image is None:
        return
    names = {one.name for one in run.settings.settings}
    if run.open or "NVIDIA_VISIBLE_DEVICES" in names or not gpu_images.PLAIN.match(run.image.repository):
        return
    yield Problem(
        place=run.runtime.place,
        message=message(
            "{image} does not set NVIDIA_VISIBLE_DEVICES, and {owner} does not either: the NVIDIA runtime "
            "brings nothing",
            "{image} 没有设置 NVIDIA_VISIBLE_DEVICES，{owner} 也没有：NVIDIA runtime 不会放入任何东西",
            image=run.image.text,
            owner=run.owner,
        ),
        certainty=Certainty.LIKELY,
    )


@rule("cuda-visible-devices-names-absent-gpu")
def gpus_inside_count_from_zero(run: ContainerRun) -> Iterator[Problem]:
    """A container that got GPU 2 alone has it as GPU 0."""
    visible = run.settings.last("CUDA_VISIBLE_DEVICES")
    number = _given(run)
    if visible is None or not visible.value or number is None:
        return
    indices = [part.strip() for part in visible.value.strip("\"'").split(",")]
    absent = [one for one in indices if INDEX.fullmatch(one) and int(one) >= number]
    if absent:
        yield Problem(
            place=visible.value_place or visible.place,
            message=message(
                "{owner} gets {number} GPU(s), which inside have the numbers from 0 on: there is no GPU "
                "{absent}",
                "{owner} 得到 {number} 个 GPU，在容器内从 0 开始编号：没有编号为 {absent} 的 GPU",
                owner=run.owner,
                number=number,
                absent=absent[0],
            ),
        )


def _given(run: ContainerRun) -> int | None:
    """Return how many GPUs the container gets; None if that cannot be told."""
    if len(run.gpus) == 1:
        ids = run.gpus[0].ids
        return len(ids) if ids else run.gpus[0].count
    shown = run.settings.last("NVIDIA_VISIBLE_DEVICES")
    if run.gpus or shown is None or not shown.value or run.runtime is None:
        return None
    names = shown.value.strip("\"'").split(",")
    return len(names) if all(INDEX.fullmatch(name.strip()) for name in names) else None


@rule("cdi-device-name-malformed")
def cdi_names_have_an_equal_sign(run: ContainerRun) -> Iterator[Problem]:
    """``nvidia.com/gpu:all`` is a path for docker and podman, and no such path exists."""
    for device in run.devices:
        found = re.fullmatch(r"nvidia\.com/(?:gpu|mig)(?:[:/]?(\w[\w:.-]*))?", device.text)
        if found:
            right = f"nvidia.com/gpu={found[1] or 'all'}"
            yield Problem(
                place=device.place,
                message=message(
                    "{name} is no name of a CDI device, so it is taken for a path; write {right}",
                    "{name} 不是 CDI 设备名，会被当作路径；应写成 {right}",
                    name=device.text,
                    right=right,
                ),
                fix=_renamed(run, device, right),
            )


def _renamed(run: ContainerRun, device: Word, right: str) -> Fix | None:
    width = device.place.end_column - device.place.column
    if run.program != "compose" or width != len(device.text):
        return None
    return Fix(message("write {right}", "改为 {right}", right=right), (Edit(device.place, right),))


RULES = (
    gpus_are_requested,
    options_stand_before_the_image,
    several_gpus_are_in_quotes,
    gpus_are_not_hidden_again,
    runtime_is_told_what_to_bring,
    gpus_inside_count_from_zero,
    cdi_names_have_an_equal_sign,
)
