"""A container of a pod as a target: looked at from inside, over the user's kubectl."""

import re

from msgspec import MsgspecError, Struct, json, structs

from codeblue.model.text import Message, message
from codeblue.sources import kubectl
from codeblue.sources.launch import Launched, Options, send
from codeblue.sources.target import Target, Unusable
from codeblue.transport import inside
from codeblue.transport.calling import Answer

NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$")
"""A name of the API; it never begins with a dash, which kubectl would take for an option."""
MOST_NAMED = 8


class Waiting(Struct, frozen=True):
    """Why a container does not run yet."""

    reason: str = ""
    message: str = ""


class Ended(Struct, frozen=True, rename="camel"):
    """How a container ended."""

    reason: str = ""
    exit_code: int = 0


class ContainerState(Struct, frozen=True):
    """One of the three is set."""

    waiting: Waiting | None = None
    running: dict[str, str] | None = None
    terminated: Ended | None = None


class ContainerStatus(Struct, frozen=True):
    """What the kubelet says of a container."""

    name: str
    state: ContainerState = ContainerState()


class PodStatus(Struct, frozen=True, rename="camel"):
    """What the kubelet says of a pod."""

    phase: str = "Unknown"
    container_statuses: list[ContainerStatus] = []


class Named(Struct, frozen=True):
    """Anything of which only the name counts."""

    name: str


class PodSpec(Struct, frozen=True, rename="camel"):
    """What was asked for."""

    containers: list[Named] = []
    node_name: str = ""


class Annotated(Struct, frozen=True):
    """Metadata of a pod."""

    annotations: dict[str, str] | None = None


class Pod(Struct, frozen=True):
    """A pod as the API tells it."""

    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()
    metadata: Annotated = Annotated()


class Place(Struct, frozen=True):
    """The parts of ``pod:NS/POD[/CONTAINER]``."""

    namespace: str
    pod: str
    container: str


def place(target: Target) -> Place:
    """Return the parts of the target's value. Raises Unusable."""
    parts = target.value.split("/")
    if len(parts) not in (2, 3) or not all(NAME.match(part) for part in parts):
        raise Unusable(
            message(
                "{name}: write pod:NAMESPACE/POD or pod:NAMESPACE/POD/CONTAINER",
                "{name}：请写成 pod:命名空间/POD 或 pod:命名空间/POD/容器",
                name=target.name,
            )
        )
    return Place(parts[0], parts[1], parts[2] if len(parts) == 3 else "")


def within(target: Target, options: Options) -> Launched:
    """Send the probe into the pod. Raises Unusable."""
    kubectl.there()
    where = place(target)
    out = kubectl.asked(target.name, None, "get", "pod", where.pod, "-n", where.namespace, "-o", "json")
    try:
        told = json.decode(out, type=Pod)
    except MsgspecError:
        raise Unusable(
            message(
                "{name}: kubectl gave an unexpected answer; see kubectl get pod {pod} -n {space} -o json",
                "{name}：kubectl 的回答无法识别；请查看 kubectl get pod {pod} -n {space} -o json",
                name=target.name,
                pod=where.pod,
                space=where.namespace,
            )
        ) from None
    container = _running(target, where, told)
    prefix = ("kubectl", "exec", "-i", where.pod, "-n", where.namespace, "-c", container, "--")
    launched = send(target, options, {}, (*prefix, _interpreter(target, prefix)))
    return structs.replace(launched, lacking=(_inside_only(target, told.spec.node_name),))


def _running(target: Target, where: Place, told: Pod) -> str:
    """Return the container that is meant. Raises Unusable if it does not run."""
    names = [one.name for one in told.spec.containers]
    usual = (told.metadata.annotations or {}).get("kubectl.kubernetes.io/default-container", "")
    container = where.container or (usual if usual in names else names[0] if names else "")
    if container not in names:
        raise Unusable(
            message(
                "{name}: the pod has no container {container}; it has {names}",
                "{name}：pod 里没有容器 {container}；现有 {names}",
                name=target.name,
                container=container,
                names=", ".join(names[:MOST_NAMED]),
            )
        )
    state = next(
        (one.state for one in told.status.container_statuses if one.name == container), ContainerState()
    )
    if state.running is None:
        raise Unusable(
            message(
                "{name}: container {container} is not running ({state}); "
                "see kubectl describe pod {pod} -n {space}",
                "{name}：容器 {container} 没有在运行（{state}）；"
                "请查看 kubectl describe pod {pod} -n {space}",
                name=target.name,
                container=container,
                state=_why(state, told.status.phase),
                pod=where.pod,
                space=where.namespace,
            )
        )
    return container


def _why(state: ContainerState, phase: str) -> str:
    if state.waiting is not None:
        return ": ".join(filter(None, (state.waiting.reason, state.waiting.message)))[:300] or phase
    if state.terminated is not None:
        return f"{state.terminated.reason or 'ended'}, exit code {state.terminated.exit_code}"
    return phase


def _interpreter(target: Target, prefix: tuple[str, ...]) -> str:
    try:
        found = inside.interpreter(prefix)
    except inside.NoEntry as why:
        answer = Answer(1, b"", str(why))
        raise Unusable(kubectl.refusal(target.name, answer)) from None
    if found is None:
        raise Unusable(
            message(
                "{name}: no Python 3 runs in its image, so the probe cannot be run inside;"
                " check the node itself, or a pod with Python",
                "{name}：镜像里没有可运行的 Python 3，无法在其中运行探针；"
                "请检查节点本身，或换一个带 Python 的 pod",
                name=target.name,
            )
        )
    return found


def _inside_only(target: Target, node: str) -> Message:
    return message(
        "{name}: only its inside was looked at; its node {node} was not",
        "{name}：只查看了它的内部；没有查看其所在节点 {node}",
        name=target.name,
        node=node or "?",
    )
