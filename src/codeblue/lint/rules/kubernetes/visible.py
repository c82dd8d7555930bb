"""Which GPUs a container sees, against those that it was given."""

from collections.abc import Iterator

from codeblue.knowledge.env_values import placeholder
from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import infrastructure, wants_cuda, whole_gpus
from codeblue.model.config.kubernetes import Container, Pod
from codeblue.model.config.setting import Setting
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

DEVICES, CUDA, CAPABILITIES = "NVIDIA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES"
HIDES = ("", "-1", "NoDevFiles", "none", "void")
KNOWN = frozenset({"all", "compute", "utility", "video", "graphics", "display", "ngx", "compat32"})


def _set(container: Container, name: str) -> Setting | None:
    one = container.settings.last(name)
    return one if one is not None and one.value is not None else None


@rule("cuda-visible-devices-empty")
def given_gpus_are_visible(pod: Pod) -> Iterator[Problem]:
    """A container asks for GPUs and hides all of them."""
    for container in pod.running:
        one = _set(container, CUDA)
        if one is not None and one.value in HIDES and container.gpus:
            yield Problem(
                place=one.value_place or one.place,
                message=message(
                    "container {name} asks for GPUs and hides them with {variable}={value}",
                    "容器 {name} 申请了 GPU，又用 {variable}={value} 把它们藏起来",
                    name=container.name,
                    variable=CUDA,
                    value=repr(one.value),
                ),
            )


@rule("cuda-visible-devices-names-absent-gpu")
def indices_are_in_the_container(pod: Pod) -> Iterator[Problem]:
    """Inside, the GPUs that a container was given count from 0."""
    for container in pod.running:
        one, gpus = _set(container, CUDA), whole_gpus(container)
        if one is None or gpus is None:
            continue
        indices = [part.strip() for part in (one.value or "").split(",")]
        high = next((part for part in indices if part.isdigit() and int(part) >= gpus), None)
        if high is not None:
            yield Problem(
                place=one.value_place or one.place,
                variant="index",
                message=message(
                    "{name} names GPU {index}, but container {container} gets {gpus}: counted from 0",
                    "{name} 指定了 GPU {index}，而容器 {container} 只有 {gpus} 个，从 0 数起",
                    name=CUDA,
                    index=high,
                    container=container.name,
                    gpus=gpus,
                ),
                certainty=Certainty.CERTAIN,
            )


@rule("unrequested-gpu-visible-via-image-env")
def plugin_decides(pod: Pod) -> Iterator[Problem]:
    """The variable by which the device plugin hands in GPUs is set by hand."""
    if infrastructure(pod):
        return
    for container in pod.running:
        one = _set(container, DEVICES)
        if one is None or placeholder(one.value or ""):
            continue
        hidden = one.value in HIDES
        if hidden and not container.gpus:
            continue
        yield Problem(
            place=one.place,
            variant="hidden" if hidden else "beside" if container.gpus else "unrequested",
            message=message(
                "{name}={value} overrides what the device plugin chose for container {container}",
                "{name}={value} 会覆盖设备插件为容器 {container} 选定的 GPU",
                name=DEVICES,
                value=one.value,
                container=container.name,
            )
            if container.gpus
            else message(
                "container {container} takes GPUs by {name}={value}; Kubernetes gives them to others too",
                "容器 {container} 用 {name}={value} 拿到 GPU，而 Kubernetes 还会把它们分给别人",
                name=DEVICES,
                value=one.value,
                container=container.name,
            ),
            certainty=Certainty.LIKELY if container.gpus else Certainty.POSSIBLE,
            kind=Kind.RISK,
            severity=None if container.gpus else Severity.NOTE,
        )


@rule("nvidia-driver-capabilities-lack-compute")
def driver_parts_are_enough(pod: Pod) -> Iterator[Problem]:
    """Without ``compute`` there is no libcuda in the container."""
    for container in pod.running:
        one = _set(container, CAPABILITIES)
        if one is None or not one.value or placeholder(one.value) or not container.gpus:
            continue
        names = {name.strip() for name in one.value.split(",")}
        if not names & {"all", "compute"}:
            yield Problem(
                place=one.value_place or one.place,
                message=message(
                    "{name}={value} leaves compute out: container {container} gets no libcuda",
                    "{name}={value} 不含 compute：容器 {container} 里没有 libcuda",
                    name=CAPABILITIES,
                    value=one.value,
                    container=container.name,
                ),
                certainty=Certainty.LIKELY if wants_cuda(container) or names - KNOWN else Certainty.POSSIBLE,
                severity=None if wants_cuda(container) or names - KNOWN else Severity.NOTE,
                fix=_with_compute(one, names),
            )


def _with_compute(one: Setting, names: set[str]) -> Fix | None:
    if one.value_place is None:
        return None
    value = ",".join(["compute", *sorted(names & KNOWN)])
    return Fix(message("write {value}", "改为 {value}", value=value), (Edit(one.value_place, f'"{value}"'),))


RULES = (
    given_gpus_are_visible,
    indices_are_in_the_container,
    plugin_decides,
    driver_parts_are_enough,
)
